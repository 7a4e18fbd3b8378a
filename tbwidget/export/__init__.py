"""Exports: pages that open anywhere, static previews, and notebooks as pages that work offline."""
