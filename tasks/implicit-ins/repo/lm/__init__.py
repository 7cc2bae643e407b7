# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Small language models without a deep-learning framework: tokenizers, checkpoints, a forward pass in double precision."""
