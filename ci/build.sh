#!/bin/sh
# Builds wheel and source distribution into a folder; two builds of one commit are equal, byte for byte.
#
#   ci/build.sh FOLDER      with the interpreter in PYTHON, by default python3
set -eu
folder=$(realpath -m "${1:?name a folder}")
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# archives keep the rights of files: those of git, whatever the umask was
umask 022
if ! "$python" -c 'import hatch_vcs, hatchling' 2>/dev/null; then
    # versions of the tools that build are part of what makes two builds equal
    "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement ci/build.lock
fi
"$python" -m hatchling build --target wheel --target sdist --directory "$folder" >&2
