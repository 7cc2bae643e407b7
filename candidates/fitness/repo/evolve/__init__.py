# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Machine-learning-guided directed evolution: worlds, plates, models, proposals and the campaign that joins them."""
