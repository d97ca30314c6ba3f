"""Messages, tools, events and usage: the values that cross modules.

Knows nothing of any provider's wire format.
"""
