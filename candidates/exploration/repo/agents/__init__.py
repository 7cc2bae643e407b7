# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Agents that learn a controller for a world from a limited number of steps."""
