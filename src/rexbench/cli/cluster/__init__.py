"""`rexbench cluster`: one file per command."""
