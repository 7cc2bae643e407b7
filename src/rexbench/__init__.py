"""rexbench: can a coding agent extend published AI research by itself?"""

__version__ = "0.1.0"
