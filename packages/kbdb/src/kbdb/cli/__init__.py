"""The command line: each command parses, makes one call to the knowledge base, and renders."""
