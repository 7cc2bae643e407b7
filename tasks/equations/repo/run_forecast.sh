# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Forecasts for all worlds in data/, written to results/forecasts.npy.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
python forecast.py --config configs/baseline.yaml --data data --out results
