# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Run the tests without pytest."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import test_attribution

for name, test in sorted(vars(test_attribution).items()):
    if name.startswith("test_"):
        test()
        print(f"passed: {name}")
