# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Side experiments around the agents."""
