#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Post-hoc selection on the pairs of config/posthoc.env.
#   bash run_posthoc.sh [HEURISTIC]
set -euo pipefail
cd "$(dirname "$0")"
source config/posthoc.env

heuristic="${1:-$HEURISTIC}"

for pair in $PAIRS; do
  python -m ett.cli select --pair "$pair" --heuristic "$heuristic" --config "$CONFIG"
done
python -m ett.cli table --heuristic "$heuristic"
