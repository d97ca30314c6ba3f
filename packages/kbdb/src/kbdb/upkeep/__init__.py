"""Check, gc, rebuild, repair, export, import and merge: each makes a plan first, then applies it.

Must not delete anything that a plan does not name.
"""
