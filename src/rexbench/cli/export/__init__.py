"""`rexbench export`: one file per command."""
