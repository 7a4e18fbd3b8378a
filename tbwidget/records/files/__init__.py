"""Bytes of event files: opening and reading them, the frames of records, checksums."""
