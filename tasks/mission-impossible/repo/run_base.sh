#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# The base experiment: one model per language, each tested on its own language. Further arguments go to run.py.
set -euo pipefail
SEED=${SEED:-0}
LANGUAGES=(control shuffle_random shuffle_by_length shuffle_local3 even_odd reverse_full reverse_partial no_hop word_hop)

python run.py --language "${LANGUAGES[@]}" --seed "$SEED" --out results/base "$@"
python summarise.py --out results/base "${LANGUAGES[@]}"
