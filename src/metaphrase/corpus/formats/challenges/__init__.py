"""Challenge sets: DEMETR's files, and tables of one's own."""
