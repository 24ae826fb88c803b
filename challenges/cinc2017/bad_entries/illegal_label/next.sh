#!/bin/bash
echo "$1,AF" >>answers.txt
