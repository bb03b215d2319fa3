"""The table that people sit at: a game in the terminal, a position explained."""
