# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Entity tracking with boxes: scenarios, prompts, the text model, greedy decoding and scores."""
