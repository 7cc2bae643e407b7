"""Trees and patches: a pristine one-commit tree, a patch taken from a tree nobody trusts, a patch put onto a clean tree.

May import: errors, digest, places, text, untrusted, task. Must not know who made a patch, how it is run or what it is worth.
Git is never run inside a folder that somebody else could have written: a repository's own config can execute code.
"""
