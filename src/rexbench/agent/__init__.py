"""Agents: the programs that turn a workspace into a patch, and the step that runs one of them.

Each adapter is one file and knows one program: how it is started, where it looks for its model, what it leaves in its log.
`step` runs any of them in a sandbox behind a gateway and captures what is in the tree afterwards, whatever happened.

May import `workbench` and what it holds, `workspace`, `gateway`. Must not know `evaluation` or `campaign`: an agent's step
ends with a patch.
"""
