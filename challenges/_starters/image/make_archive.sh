#!/bin/sh
# Builds the Dockerfile of this folder and saves the image as entry.tar, with whichever works here of docker, podman and
# buildah.  Entries run on x86-64, whatever this computer is.
set -eu
cd "$(dirname "$0")"
archive=entry.tar

for tool in docker podman buildah none; do
    "$tool" info >/dev/null 2>&1 && break
done
if [ "$tool" = none ]; then
    echo "make_archive.sh: none of docker, podman and buildah works here; install one, or start Docker" >&2
    exit 1
fi

rm -f "$archive"
case $tool in
docker | podman)
    "$tool" build --platform linux/amd64 --tag entry .
    "$tool" save --output "$archive" entry
    ;;
buildah)
    buildah build --platform linux/amd64 --tag entry .
    buildah push entry "docker-archive:$archive:entry:latest"
    ;;
esac
echo "make_archive.sh: $archive is made, with $tool"
