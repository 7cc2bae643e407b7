# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Things that did not make it into the paper. Not maintained, not imported by anything."""
