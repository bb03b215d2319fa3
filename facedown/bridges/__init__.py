"""Neighbours of the house: other programs' tables at which its agents can sit."""
