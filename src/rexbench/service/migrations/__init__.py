"""The steps from an empty database to the tables of this version; `database.py` takes those that are missing."""
