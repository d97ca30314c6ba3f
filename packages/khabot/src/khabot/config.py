"""Settings: defaults, then settings.json, environment and flags; remembers where each came from.

Reads no file and no environment itself: the caller hands both in.
"""
