"""The commands, one file each or a few; every heavy import happens inside a command."""
