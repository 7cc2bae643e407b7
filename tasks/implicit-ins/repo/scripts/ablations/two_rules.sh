#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# From the repository root: bash scripts/ablations/two_rules.sh [MODEL], model b unless another is named.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
model=${1:-b}
python generate.py --model "$model" --rules eos,repetition --out "results/model_$model/two_rules"
