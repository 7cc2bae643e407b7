#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# The base experiment: one model per language, each tested on its own language.
set -euo pipefail
SEED=${SEED:-0}

for language in control shuffle_random shuffle_local3 reverse_partial no_hop word_hop; do
    python run.py --language "$language" --seed "$SEED" --out results/base
done
python summarise.py --out results/base control shuffle_random shuffle_local3 reverse_partial no_hop word_hop
