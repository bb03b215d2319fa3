"""The record of a position, and how moves are numbered."""

from __future__ import annotations

import numpy as np

from facedown.games.cribbage.cards import CARDS, PAIRS

State = np.dtype(
    [
        ("held", np.int64, 2),  # each player's hand, as a set of cards
        ("thrown", np.int64, 2),  # what each has put into the crib
        ("played", np.int64, 2),  # what each has played in this hand
        ("shown", np.int64, 3),  # at the last show: the pone's hand, the dealer's, the crib
        ("score", np.int16, 2),  # the front peg
        ("back", np.int16, 2),  # the back peg: the score before the last points
        ("gained", np.int16, 2),  # points made in this hand, kept until the next is dealt
        ("line", np.int8, 12),  # the play of this hand: cards and the marks below, NONE after that
        ("left", np.int8, 2),  # how many cards each holds
        ("last", np.int8, 2),  # of the last show: the cut and the dealer, NONE before the first
        ("stage", np.int8),
        ("actor", np.int8),  # whose turn it is
        ("dealer", np.int8),
        ("cut", np.int8),  # NONE before it is turned up
        ("n", np.int8),  # entries of `line`
        ("first", np.int8),  # where in `line` the present count began
        ("count", np.int8),  # the running count
        ("gone", np.int8),  # who has said go at this count, NONE if nobody has
    ]
)

DEAL, THROW, CUT, PLAY = 0, 1, 2, 3  # the stages; the show follows upon the last card at once

GO_SAID, CLOSED, RAN_OUT = -2, -4, -6
"""Marks in `line`: GO_SAID - p, player p says go and the other plays on; CLOSED - p, player p says
go and the count begins anew; RAN_OUT, it begins anew for the one player who could go on has no card
left."""

# Moves: the card that is played, a go, a pair thrown into the crib; chance's: a card dealt, the cut
GO = CARDS
THROWS = GO + 1
DEALS = THROWS + PAIRS
CUTS = DEALS + CARDS
MOVES = CUTS + CARDS

GOAL = 121
