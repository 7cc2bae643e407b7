"""The only door from a sandbox to a model: keys, budgets, metering, recording; scripted and replayed models.

One gateway serves one run. It is a process of its own, because it alone holds the key and because its death must be told apart
from the agent's. It listens on a unix socket, which the sandbox shows and a relay inside turns into a loopback address.

May import: `errors`, `digest`, `text`. Must not know tasks, agents, verdicts or campaigns.
"""
