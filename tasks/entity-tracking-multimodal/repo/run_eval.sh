#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Evaluates the models on the boxes task.
set -euo pipefail
export OMP_NUM_THREADS=1
python evaluate.py --model boxes-gpt
