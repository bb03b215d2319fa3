"""A seat at JSettlers: its robots' protocol, spoken from this side."""
