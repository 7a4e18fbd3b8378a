"""The panels: each module declares one, and says how what it draws travels. No widget code; see `declare`.

They are registered in `registry`.
"""
