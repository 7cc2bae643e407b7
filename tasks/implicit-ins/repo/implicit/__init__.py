# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Instruction following from a product of a language model and a few hand-written rules."""
