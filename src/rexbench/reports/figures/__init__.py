"""Figures, drawn as SVG: the same drawing stands in the page and, with its own style, in a file beside it.

Takes finished tables and a width, gives back text; the same numbers give the same bytes. Imports nothing of rexbench but the
tables, and knows no run and no record. Every name that is drawn is escaped in `svg`.
"""
