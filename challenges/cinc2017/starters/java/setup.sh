#!/bin/bash
# Run once, before any record: compiles the program.
set -e
javac Classify.java
