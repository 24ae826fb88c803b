#!/bin/sh
# The least an entry may do: an empty list for every frame, so its score is 0. Runs in a busybox image.
for frame in /input/*/*/*.png; do
    target=${frame#/input/}
    target=/output/${target%.png}.json
    mkdir -p "${target%/*}"
    echo '{"points": []}' >"$target"
done
