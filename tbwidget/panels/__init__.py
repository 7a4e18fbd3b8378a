"""What each panel sends to the browser: series in, message parts out. No widget code; see WIRE.md."""
