"""Play: at the terminal."""
