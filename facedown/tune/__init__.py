"""Finding an agent's options by playing: a described space, racing, a model, and a last match.

`space.py` says what may be tried, `trials.py` plays it (in the store), `ntuple.py` is the model,
`tuner.py` the way from many candidates to one, `page.py` shows what mattered.
"""
