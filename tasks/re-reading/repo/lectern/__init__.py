# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""lectern: a small harness that asks a small language model questions and keeps what was asked and what was answered."""
