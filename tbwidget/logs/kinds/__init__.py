"""The kinds of data that logs hold, one file each: plugin names, forms of values, result classes, the table."""
