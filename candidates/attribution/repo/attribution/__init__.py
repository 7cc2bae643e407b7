# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Attribution of what a pipeline says about test rows to the rows that it learnt from."""
