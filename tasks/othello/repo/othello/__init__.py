# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Linear probes for the board state inside a GPT that was trained on 6x6 Othello transcripts."""
