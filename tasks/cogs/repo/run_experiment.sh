#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# The main table: small model, early-stopped on dev, in distribution (test) and out of it (gen).
set -euo pipefail
cd "$(dirname "$0")"
SEED=${SEED:-0}
RUN=runs/small

python train.py --config configs/small.yaml --seed "$SEED" --out "$RUN"
python decode.py --run "$RUN" --splits test gen --output results
python score.py --splits test gen --predictions results
