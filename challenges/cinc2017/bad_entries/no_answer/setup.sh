#!/bin/bash
# nothing to compile
