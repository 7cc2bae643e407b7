#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Zero-shot addition and comprehension check in base ten and two counterfactual bases; about five seconds.
set -euo pipefail
export OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
python -m ror.run --config configs/zero_shot.yaml "$@"
