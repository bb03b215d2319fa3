"""Conversations with a JSettlers server: recorded ones, where they are, and small ones of ours."""

from __future__ import annotations

import os
from pathlib import Path

from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.messages import parse
from facedown.bridges.jsettlers.mirror import Mirror

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("FACEDOWN_SHARED", ROOT.parent / "shared"))
RECORDINGS = sorted((SHARED / "data" / "jsettlers").glob("*.tsv.gz"))

GAME = "g"
KINDS = "9,6,69,6,6,5,1,2,10,34,4,5,1,4,6,6,1,3,4,3,4,11,33,3,5,5,0,6,6,2,3,2,99,20,6,12,6"
NUMBERS = (
    "-1,-1,-1,-1,-1,5,7,6,-1,-1,1,2,3,9,-1,-1,4,6,8,4,8,-1,-1,0,7,1,-1,-1,-1,3,5,2,-1,-1,-1,-1,-1"
)
BOARD = f"1014|{GAME},{KINDS},{NUMBERS},185"
"""An island with its desert, and the robber, at hex 185."""

SEATED = [f"1012|{GAME},player {seat},{seat},true" for seat in range(4)]
PLACED = [
    f"1018|{GAME},5",
    *[f"1026|{GAME},3,5", f"1009|{GAME},3,1,122", f"1025|{GAME},6", f"1009|{GAME},3,0,106"],
    *[f"1026|{GAME},0,5", f"1009|{GAME},0,1,133", f"1025|{GAME},6", f"1009|{GAME},0,0,132"],
    *[f"1026|{GAME},1,5", f"1009|{GAME},1,1,69", f"1025|{GAME},6", f"1009|{GAME},1,0,69"],
    *[f"1026|{GAME},2,5", f"1009|{GAME},2,1,137", f"1025|{GAME},6", f"1009|{GAME},2,0,120"],
    *[f"1026|{GAME},2,10", f"1009|{GAME},2,1,103", f"1025|{GAME},11", f"1009|{GAME},2,0,86"],
    *[f"1026|{GAME},1,10", f"1009|{GAME},1,1,182", f"1025|{GAME},11", f"1009|{GAME},1,0,166"],
    *[f"1026|{GAME},0,10", f"1009|{GAME},0,1,88", f"1025|{GAME},11", f"1009|{GAME},0,0,72"],
    *[f"1026|{GAME},3,10", f"1009|{GAME},3,1,67", f"1025|{GAME},11", f"1009|{GAME},3,0,67"],
]
"""Seats taken in the order 3, 0, 1, 2 and back."""


def mirrored(*texts: str, me: int = 1, placed: bool = True) -> Mirror:
    """The mirror of seat `me` after what a server says, usually after the placement."""
    mirror = Mirror(me)
    before = [BOARD, *SEATED, *(PLACED if placed else [])]
    for text in [*before, *texts]:
        told(mirror, text)
    return mirror


def told(mirror: Mirror, *texts: str) -> None:
    """Tell a mirror what a server says."""
    for text in texts:
        message = parse(text)
        assert isinstance(message, Message), message
        mirror.take(message)
