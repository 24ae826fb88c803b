#!/bin/bash
python3 -c "a = bytearray(1 << 30)"
