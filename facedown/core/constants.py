"""Numbers that every rule and every search share."""

CHANCE = -1
"""`turn` of a position in which chance acts."""

OVER = -2
"""`turn` of a finished game."""

PUBLIC = -3
"""The viewer who belongs to nobody: sees what everyone sees."""

NOTHING = 0
"""The token of a move from which a viewer learns nothing."""
