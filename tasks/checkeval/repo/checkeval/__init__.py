# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Checklist scores from stored judge outputs, and how well they agree with human ratings."""
