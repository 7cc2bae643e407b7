#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# All experiments, from the repository root.
set -euo pipefail
export OMP_NUM_THREADS=1 MKL_NUM_THREADS=1

python evaluate_synthetic.py --config configs/synthetic.yaml
