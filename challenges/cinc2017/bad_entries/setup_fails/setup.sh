#!/bin/bash
set -e
gcc -o classify no_such_file.c
