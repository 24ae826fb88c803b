#!/bin/bash
yes
