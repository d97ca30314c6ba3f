"""Built-in tools.

Must not decide whether they may run: the gate does.
"""
