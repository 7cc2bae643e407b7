#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Runs every experiment in experiments/, in the order of their names.
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1
for script in experiments/*.sh; do
  echo "== $script"
  bash "$script"
done
