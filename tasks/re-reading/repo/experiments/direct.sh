#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Direct answers: the question once, no worked steps.
set -euo pipefail
python -m lectern --tasks stories --output results/direct --cache .cache
