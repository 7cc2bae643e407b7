"""`rexbench submit`: one file per command."""
