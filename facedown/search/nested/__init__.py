"""HyperPlay-II: a search whose simulations are games between players who search themselves."""
