"""Bytes in, sections out: the parsers, the walk over a folder, links, keywords and secrets.

Pure but for the walk, which reads folders; knows nothing of stores, indexes or ids already taken.
"""
