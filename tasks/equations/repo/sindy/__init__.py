# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Sparse identification of nonlinear dynamics: from records of a system to equations, and from equations to forecasts."""
