"""What a game is like: its tree, what is hidden in it, which decisions matter, what to try first.

`analyse.py` puts together what `tree.py` (random games, or all of them) and `decisions.py`
(searches of single decisions) measure; `advice.py` says which recipe to try first, and why.
"""
