"""The daemon: socket, dispatch, the single writer, lifecycle and status.

Must not hold logic of its own: every operation is a method of the facade.
"""
