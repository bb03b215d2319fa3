"""The server's numbers: elements of players and games, what is done with them and with cards."""

SET, GAIN, LOSE = 100, 101, 102
UNKNOWN, ROADS_LEFT, CITIES_LEFT, KNIGHTS, LAST_SETTLEMENT, CARD_PLAYED = 6, 10, 12, 15, 18, 19
"""Elements of a player; 1 to 5 are resources."""
ROUND, CARDS_LEFT, FIRST, CURRENT, ARMY, ROAD_AWARD = 1, 2, 3, 4, 5, 6
"""Elements of a game."""
DRAW, PLAYED, ADD_NEW, ADD_OLD, CANNOT_PLAY = range(5)
"""What becomes of a development card."""
BOUGHT, MONOPOLY = 1, 3
"""Simple actions: a card was bought, a monopoly took so many."""
