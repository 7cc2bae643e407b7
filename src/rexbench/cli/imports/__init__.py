"""`rexbench import`: one file per command. (The room's name is in the plural because the word itself is Python's.)"""
