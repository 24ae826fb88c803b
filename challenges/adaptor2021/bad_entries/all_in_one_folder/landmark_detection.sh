#!/bin/sh
for frame in /input/*/*/*.png; do
    name=${frame##*/}
    echo '{"points": []}' >"/output/${name%.png}.json"
done
