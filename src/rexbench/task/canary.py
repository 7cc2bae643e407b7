"""The text that marks benchmark files, so that a training set which contains them can be filtered or found out."""

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"

CANARY_FILE = "CANARY.txt"
"""Marks a whole folder whose files are in formats without comments."""
