#!/bin/sh
# Builds the Debian packages of the commit that is checked out, source and binary, into a folder.
#
#   ci/deb.sh FOLDER      as any user; needs build-essential, git, python3-pip and what ci/debian/control names after Build-Depends
#
# The source package has all that a build needs, the wheels of ci/server.lock too: it can be built again without a network.
set -eu
folder=$(realpath -m "${1:?name a folder}")
cd "$(dirname "$0")/.."
# before minutes of downloads
dpkg-checkbuilddeps ci/debian/control
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
umask 022
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# the tools that build the wheel, of fixed versions as in ci/build.sh
python3 -m venv "$made/tools"
"$made/tools/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement ci/build.lock
# a development version is older than its release
version=$("$made/tools/bin/python" -m hatchling version | sed 's/\.dev/~dev/')
source=$made/sandbox-evaluate-$version
git -c tar.umask=022 archive --prefix="sandbox-evaluate-$version/" HEAD | tar -x -C "$made"
cp -r "$source/ci/debian" "$source/debian"
cat >"$source/debian/changelog" <<END
sandbox-evaluate ($version) unstable; urgency=medium

  * See /usr/share/doc/evaluate/CHANGELOG.md.gz.

 -- $(sed -n 's/^Maintainer: //p' ci/debian/control)  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
END
for lock in server build; do
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --requirement "ci/$lock.lock" \
        --dest "$source/debian/wheels"
done
(cd "$source" && dpkg-buildpackage --no-sign)
mkdir -p "$folder"
mv "$made"/*.deb "$made"/*.dsc "$made"/*.tar.* "$made"/*.buildinfo "$made"/*.changes "$folder/"
