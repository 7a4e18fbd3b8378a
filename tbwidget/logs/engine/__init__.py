"""Scan a log directory, keep the files of its runs read, follow them, and flush their writers."""
