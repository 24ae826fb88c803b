#!/bin/bash
# Run once for each record, with its name as the argument: appends "RECORD,LABEL" to answers.txt.
set -e
octave-cli --quiet --no-history --no-init-file classify.m "$1" >>answers.txt
