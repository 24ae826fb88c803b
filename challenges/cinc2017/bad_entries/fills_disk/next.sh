#!/bin/bash
set -e
dd if=/dev/zero of=big bs=1M
