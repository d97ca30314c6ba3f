"""The loop, its ports, the gate every tool call passes, the context budget and limits.

Talks to the world through protocols; must not know any provider, store or server.
"""
