"""Language models behind one port.

Must not know sessions, tools or permissions.
"""
