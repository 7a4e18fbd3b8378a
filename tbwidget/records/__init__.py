"""From bytes to records: framing, checksums, layouts, and the way back after damage."""
