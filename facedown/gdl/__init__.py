"""Games from rule files in the Game Description Language, GDL and GDL-II."""
