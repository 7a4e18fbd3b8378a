"""Send data to the browser, for any panel. docs/wire.md has the format, docs/scheduling.md the order of messages."""
