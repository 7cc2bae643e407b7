"""Where answers come from: a real provider, a script, or the record of an earlier run. One file each."""
