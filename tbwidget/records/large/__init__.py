"""Records above 64 kB, whose long parts stay unread."""
