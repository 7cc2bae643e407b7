# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Semantic parsing of a small fragment of English, and how far a Transformer generalises on it."""
