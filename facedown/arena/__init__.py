"""Matches, statistics, records of games."""
