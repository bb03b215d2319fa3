"""The laws of a game's contract, and the check that fuzzes any game against them."""

from facedown.laws.check import LAWS, check_game
from facedown.laws.findings import Finding, Findings, Violation
from facedown.laws.law import Law

__all__ = ["LAWS", "Finding", "Findings", "Law", "Violation", "check_game"]
