"""The protocol of general game playing: a player for game managers, and a manager of our own."""
