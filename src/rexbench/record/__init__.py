"""What happened, on disk: content-addressed, written atomically, readable without this program.

May import: errors, digest, places. Must not know how anything is run or decided; it keeps what it is given.
"""
