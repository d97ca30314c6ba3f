"""The product over MCP: tools, prompts, resources, completions and subscriptions.

Translates the protocol to the facade; must not know how anything is stored or ranked.
"""
