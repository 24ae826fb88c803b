#!/bin/bash
# Run once for each record, with its name as the argument: appends "RECORD,LABEL" to answers.txt.
set -e
java -Xmx512m -XX:TieredStopAtLevel=1 Classify "$1" >>answers.txt
