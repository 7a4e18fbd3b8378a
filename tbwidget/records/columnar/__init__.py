"""Many records parsed at once, by column: scalars by layout, all other values field by field."""
