# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Positions for all worlds in data/, written to results/positions.npy.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
python localise.py --config configs/baseline.yaml --data data --out results
