"""The runtime for agents whose only extension mechanism is MCP."""

__version__ = "0.1.0"
