"""The HTTP interface and the web page.

The home of FastAPI; must not hold logic of its own.
"""
