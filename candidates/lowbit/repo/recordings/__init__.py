# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
