#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Probe every layer for the board and print the accuracies. SEED sets the probes' seed.
set -euo pipefail
cd "$(dirname "$0")"
SEED=${SEED:-0}

python train_probes.py --config configs/probe.yaml --seed "$SEED" --out results/black_white
python -m othello.report results/black_white
