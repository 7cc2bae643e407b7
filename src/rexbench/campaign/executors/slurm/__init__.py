"""Steps as jobs of a Slurm cluster. `executor` is what a conductor sees; the other files are one side of Slurm each."""
