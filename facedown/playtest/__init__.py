"""What a maker of games wants to know of one: games of agents at several strengths, and one page.

`parts.py` says which matches are played, and plays them; `variance.py`, `course.py` and `habits.py`
measure; `findings.py` puts it together, `sentences.py` says it, `page.py` shows it.
"""
