#!/bin/bash
# Run once, before any record: compiles the program.
set -e
gcc -O2 -Wall -o classify classify.c
