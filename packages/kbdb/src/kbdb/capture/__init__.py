"""Auto-capture: what triggers a review of a session, the review itself, and its guard rails.

Must not write but through the facade.
"""
