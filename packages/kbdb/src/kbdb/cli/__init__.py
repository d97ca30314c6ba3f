"""The command line, one module a command group: parse, call, render.

The home of click; must not hold logic that a Python caller would miss.
"""
