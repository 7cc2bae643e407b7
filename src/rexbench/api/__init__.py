"""What `import rexbench` offers beyond the values of other rooms: a bench with verbs, a campaign that was run, a report.

May import everything but `cli` and `service`, which stand on it. The command line does nothing that cannot be done from here.
"""
