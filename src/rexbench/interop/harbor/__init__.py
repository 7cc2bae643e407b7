"""Harbor: tasks as its folders, a verifier for it that judges on the host, and its jobs as campaigns.

Only `verifier.py` knows the package `harbor`, which runs it. May import `interop` and what lies below.
"""
