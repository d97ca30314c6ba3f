"""`tool create`: names, templates, rendering and verification of new MCP servers."""
