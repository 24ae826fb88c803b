#!/bin/bash
# Run once, before any record: nothing to do for Python.
