# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Tree of Thoughts on the game of 24, with a small student model as evaluator."""
