"""What leaves the notebook: pages that open anywhere, still pictures, notebooks as pages that work offline."""
