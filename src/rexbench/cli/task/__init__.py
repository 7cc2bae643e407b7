"""`rexbench task`: one file per command."""
