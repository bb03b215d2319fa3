"""Where worlds come from when a game's own sampler is not enough."""
