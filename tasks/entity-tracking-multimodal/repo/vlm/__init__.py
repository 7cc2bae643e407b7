# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A small vision-language model that describes pictures of boxes. Taken over from the captioning project."""
