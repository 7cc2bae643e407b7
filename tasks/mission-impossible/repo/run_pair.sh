#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# The control language and one other, side by side: bash run_pair.sh, or LANGUAGE=word_hop SEED=1 bash run_pair.sh
set -euo pipefail
SEED=${SEED:-0}
LANGUAGE=${LANGUAGE:-reverse_full}

python run.py --config configs/pair.yaml --language control "$LANGUAGE" --seed "$SEED"
python summarise.py control "$LANGUAGE"
