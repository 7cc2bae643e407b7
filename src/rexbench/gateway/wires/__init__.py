"""The wire protocols that agents speak, one file each: reading requests and answers, writing scripted answers and errors.

A wire knows its JSON and its event stream, nothing of budgets, keys or sockets.
"""
