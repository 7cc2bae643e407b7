"""The command line: thin. Parse, call, print. May import everything; nothing imports it."""
