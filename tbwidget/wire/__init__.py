"""What travels between kernel and browser, whatever panel draws it; WIRE.md describes the messages."""
