"""Documents in: what changes when a text, a file or a folder is learned; skills and agents.

Decides the change and hands it over whole; must not know how records are written or how a query is
answered.
"""
