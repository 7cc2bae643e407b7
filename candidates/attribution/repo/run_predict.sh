#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
set -euo pipefail
python predict.py --data data --out results --config configs/baseline.yaml
