"""Agents: recipes, one short file a paper, and the registry of names."""
