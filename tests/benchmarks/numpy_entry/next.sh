#!/bin/bash
# Run once for each record, with its name as the argument: appends "RECORD,LABEL" to answers.txt.
set -e
python3 classify.py "$1" >>answers.txt
