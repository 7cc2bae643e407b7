#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# The base experiment: model A without rules, with two and with all. Run from the repository root.
set -euo pipefail
for ablation in no_rules two_rules all_rules; do
    bash scripts/ablations/$ablation.sh a
done
python -m implicit.report results/model_a
