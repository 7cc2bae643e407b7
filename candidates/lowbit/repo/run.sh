#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
set -euo pipefail
mkdir -p results
python -m recordings.recover data/recordings.csv results/signals.csv
