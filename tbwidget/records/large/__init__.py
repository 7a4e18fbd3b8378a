"""Records above 64 kB, of which the long parts stay unread."""
