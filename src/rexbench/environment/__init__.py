"""The interpreters that experiments run in: named, pinned, built once under the user's folder, keyed by digest.

May import: errors, digest, places. Must not know tasks, patches or sandboxes; a sandbox is told which folders to show.
"""
