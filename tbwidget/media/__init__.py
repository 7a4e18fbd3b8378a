"""Decode images and audio: sizes, formats, pixels, and bytes that a browser can show."""
