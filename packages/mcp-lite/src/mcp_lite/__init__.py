"""An MCP server from one function, on the official SDK."""

__version__ = "0.1.0"
