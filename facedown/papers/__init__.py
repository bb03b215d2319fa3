"""One file a paper, one function a table or figure: runs it, sets measured beside published.

`registry` names the papers, `paper` says what a table or figure is, `cells` plays matches and keeps
their results, `tables` writes Markdown, `plots` draws.
"""
