"""The table in the browser: pages over the tables of a house (extra `web`)."""
