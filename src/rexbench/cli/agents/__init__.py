"""`rexbench agents`: one file per command."""
