#!/bin/bash
# Called once: compile or unpack what next.sh needs.
