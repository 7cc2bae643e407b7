# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Two-digit addition in base ten and in counterfactual bases, put to a small language model."""
