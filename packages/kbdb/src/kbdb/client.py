"""The facade over the socket of a running worker, method for method.

Imports the standard library alone, so that a search from the shell pays for no engine.
"""
