# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""In-context word acquisition: Winograd problems whose key word is new and comes with a definition."""
