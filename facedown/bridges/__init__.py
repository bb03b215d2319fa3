"""Neighbours of the house: tables at which its agents can sit, programs that its games serve."""
