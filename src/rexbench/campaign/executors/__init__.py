"""Ways to have steps done: here, on a Slurm cluster, on a Dask cluster. They move work and decide nothing."""
