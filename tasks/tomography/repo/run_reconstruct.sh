# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
# Images for all scans in data/, written to results/images.npy.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
python reconstruct.py --config configs/baseline.yaml --data data --out results
