"""One search; a paper is a recipe of six arguments."""
