#!/bin/bash
echo "$1,N"
