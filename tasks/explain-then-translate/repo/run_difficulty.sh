#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Gain from explanations by difficulty, and the oracle, for every pair in data/completions.
set -euo pipefail
cd "$(dirname "$0")"
python -m ett.cli difficulty
python -m ett.cli oracle
