"""Patches in and out: submission archives, and predictions as SWE-bench writes them.

What comes from elsewhere is read with bounds and never unpacked. May import `campaign` and what lies below it.
"""
