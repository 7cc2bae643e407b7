"""Other programs: patches in and out (submission archives, predictions), and rooms for Inspect, Harbor and training loops.

What comes from elsewhere is read with bounds and never unpacked. May import `campaign` and what lies below it. The packages of
other programs are known to one room each, which nothing loads that does not need it. Whatever drives an agent, what it leaves is
judged by the same functions.
"""
