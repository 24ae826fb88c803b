#!/bin/sh
# Makes the image of Containerfile, in which CI starts without installing anything; on Debian 12, after `./run setup`.
#
#   ci/image.sh [ARGS]         builds it as `sandbox-evaluate` by podman, buildah or docker; ARGS go to its `build`
#   ci/image.sh --push NAME    builds it, and pushes it to a registry as NAME, where this builder is logged in
#   ci/image.sh --context DIR  builds nothing: lays out in the new folder DIR what it is built from, and its labels
set -eu
cd "$(dirname "$0")/.."
say() { printf '%s\n' "ci/image.sh: $*" >&2; }

to=
builder=
# what is copied keeps its rights, which must not be those of whoever builds
umask 022
if [ "${1:-}" = --context ]; then
    mkdir "${2:?the new folder}"
    context=$(realpath "$2")
else
    [ "${1:-}" != --push ] || { to=${2:?the name in the registry} && shift 2; }
    for tool in podman buildah docker; do
        if "$tool" info >/dev/null 2>&1; then
            builder=$tool
            break
        fi
    done
    if [ -z "$builder" ]; then
        say "none of podman, buildah and docker works here: install one of them (Debian package podman)"
        exit 3
    fi
    context=$(mktemp -d)
    trap 'rm -rf "$context"' EXIT
fi
.venv/bin/evaluate image build bookworm >&2
# what the build makes gets the time of the commit
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
.venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$context/dist" .
mkdir -p "$context/images" "$context/ci"
cp ci/container.lock "$context/ci/"
say "making the Debian of the image"
# the device files are for whoever starts it to make
mmdebstrap --quiet --variant=minbase --architectures=amd64 --skip=output/dev \
    --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    --include="$(awk '{ sub(/#.*/, "") } NF { split($1, name, "|"); print name[1] }' evaluate/core/debian-packages.txt | paste -sd,)" \
    --customize-hook='find "$1/var/log" -type f -delete; rm -f "$1"/etc/*- "$1/var/cache/ldconfig/aux-cache"' \
    --customize-hook='rm -rf "$1"/var/lib/dpkg/*-old "$1"/var/cache/debconf/*-old "$1"/usr/share/python3/debpython/__pycache__' \
    bookworm "$context/base.tar"
.venv/bin/python - "$context/images" <<'END'
import shutil, sys
from pathlib import Path
from evaluate.host.state import default_state
from evaluate.images.image import load_image
from evaluate.images.image import MANIFEST, Manifest
image = load_image("bookworm", default_state())
target = Path(sys.argv[1]) / image.folder.name
target.mkdir()
for name in (MANIFEST, *Manifest.read(image.folder).files, image.initrd.name):
    (target / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(image.folder / name, target / name)
    (target / name).chmod(0o644)
(target.parent / image.name).symlink_to(target.name)
END
# provenance, in the words of the OCI; what was changed after the commit is said too
cat >"$context/labels" <<END
org.opencontainers.image.revision=$(git describe --always --abbrev=40 --exclude='*' --dirty 2>/dev/null || echo unknown)
org.opencontainers.image.version=$(basename "$context"/dist/*.whl | cut -d- -f2)
org.opencontainers.image.created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
END
cp Containerfile "$context/"
[ -n "$builder" ] || exit 0

say "building the image sandbox-evaluate with $builder"
same="--build-arg SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH $(sed 's/^/--label /' "$context/labels" | paste -sd' ')"
[ "$builder" = docker ] || same="$same --timestamp $SOURCE_DATE_EPOCH"
# shellcheck disable=SC2086  # words
"$builder" build --file Containerfile --tag sandbox-evaluate $same "$@" "$context"
if [ -n "$to" ]; then
    "$builder" tag sandbox-evaluate "$to"
    "$builder" push "$to"
fi
