"""The command line: thin. Parse, call the api, print; one file per command, named as the command. Nothing imports it."""
