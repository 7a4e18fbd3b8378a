"""What each panel sends to the browser: series in, message parts out. No widget code; see WIRE.md.

A panel is registered here and in js/src/panels/registry.ts.
"""

PANELS = {"scalars": ("scalars",), "histograms": ("histograms",), "distributions": ("histograms",)}
"""The panels that there are, in the order of their tabs, each with the kinds of data that it draws."""
