"""The records of The Resistance, and the numbers of moves, phases and tokens."""

from __future__ import annotations

import numpy as np

MOST_PLAYERS, MOST_CONFIGS = 10, 210
MASKS = 1 << MOST_PLAYERS
MISSIONS = ATTEMPTS = 5
TO_WIN = 3
POSITION_TRAITS, MOVE_TRAITS, HIDDEN = 12, 19, 24
NET = (POSITION_TRAITS + MOVE_TRAITS + 2) * HIDDEN + 1
MOST_KINDS, TEMPERS = 17, 3
OWN = 1 + MOST_KINDS * TEMPERS + TEMPERS // 2
"""The mind of one who plays by the network that has learnt to win, beyond all that are believed."""

Variant = np.dtype(
    [
        ("players", np.int64),
        ("everyone", np.int64),  # the mask of all
        ("deal", np.int64),  # the first number of chance's moves
        ("configs", np.int64, MOST_CONFIGS),  # masks of spies, as many as `worlds`
        ("worlds", np.int64),
        ("sizes", np.int64, MISSIONS),
        ("needed", np.int64, MISSIONS),  # failures that make a mission the spies'
        ("first", np.int64, MOST_PLAYERS + 2),  # where the masks of each size begin in `by_size`
        ("by_size", np.int32, MASKS),
        ("bits", np.int8, MASKS),  # how many players a mask has
        ("lowest", np.int8, MASKS),  # the first player of a mask
        ("likely", np.float64, (MOST_PLAYERS + 1, MOST_PLAYERS + 1)),  # [spies sent, failures]
        ("kinds", np.int64),  # of players that the model knows, the crowd before them; 0: no model
        ("nets", np.float64, (MOST_KINDS + 1, NET)),  # how each of them plays (`model`); OWN last
        ("tempers", np.float64, TEMPERS),  # how much readier a player is to approve
        ("shares", np.float64, MOST_KINDS),  # how many of the crowd are of each kind
        ("temperate", np.float64, TEMPERS),  # and of each temper
    ]
)
State = np.dtype(
    [
        ("key", np.uint64),  # of all that is public
        ("past", np.int32, MISSIONS * ATTEMPTS),  # team + votes << SHIFT, five a round; 0 is none
        ("failures", np.int32, MISSIONS),  # of each mission, UNPLAYED before it
        ("spies", np.int32),  # their mask; 0 is not dealt, or unknown to this viewer
        ("phase", np.int32),
        ("actor", np.int32),  # as `turn` gives it
        ("leader", np.int32),
        ("team", np.int32),  # proposed or sent now
        ("cast", np.int32),  # who has voted or played and waits
        ("chosen", np.int32),  # those among them who approve, or fail the mission
        ("round", np.int32),
        ("attempt", np.int32),  # teams rejected in this round
        ("won", np.int32),  # missions that the spies have won
        ("minds", np.int32, MOST_PLAYERS),  # how they play, in a world that a belief has made
    ]
)

DEALING, PROPOSING, VOTING, PLAYING, ENDED = range(5)
REJECT, APPROVE, SUCCESS, FAIL, TEAM = range(5)
SHIFT = MOST_PLAYERS
UNPLAYED = -1
NOT_A_SPY, ROLES_DEALT = 1 << 12, (1 << 12) + 1
PROPOSED, VOTED, PLAYED = 1 << 13, 1 << 18, 1 << 19
