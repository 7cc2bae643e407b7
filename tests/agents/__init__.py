"""The agents' real programs, with scripted models, in the sandbox. `make test-agents` installs the programs first."""
