"""Finding the next valid record behind damage, at a bounded cost."""
