#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Score the evaluation part with one scorer, then rebuild the table:  bash run_scorer.sh dm_mean
# SEED=n shifts the training seeds, for repeated runs.
set -euo pipefail
cd "$(dirname "$0")"
SCORER=${1:?usage: bash run_scorer.sh SCORER}
export SEED=${SEED:-0}
python -m aed.predict --scorer "$SCORER" --seed-shift "$SEED"
python -m aed.table
