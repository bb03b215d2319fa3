"""One SQLite file for everything that is played: it survives a kill and knows the code that played.

`store.Store` opens it, `kept.Kept` is a match in it, and `kept.Writer` adds games to one.
"""
