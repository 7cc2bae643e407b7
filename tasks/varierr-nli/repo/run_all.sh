#!/usr/bin/env bash
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# The base experiment: every scorer of the paper that is here, one after the other.
set -euo pipefail
cd "$(dirname "$0")"
for scorer in label_count peer_votes dm_mean dm_std; do
    bash run_scorer.sh "$scorer"
done
