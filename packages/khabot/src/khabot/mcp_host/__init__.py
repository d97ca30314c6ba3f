"""The client side of MCP: one connection a server, the catalogue of tools, limits, sampling.

Must not know what an agent does with a tool.
"""
