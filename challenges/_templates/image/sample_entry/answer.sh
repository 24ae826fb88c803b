#!/bin/sh
# Called with the argument "answer".  Reads /input/<record>.txt and writes /output/<record>.txt for each.
for file in /input/*.txt; do
    sum=0
    while read -r number; do sum=$((sum + number)); done <"$file"
    if [ $sum -gt 0 ]; then label=P; else label=N; fi
    echo $label >"/output/${file##*/}"
done
