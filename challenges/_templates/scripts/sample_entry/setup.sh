#!/bin/bash
# Called once: compile or unpack here what next.sh needs.
