"""The one tree of errors khabot raises on purpose, split by who must act.

The operator (input, settings), the model (goes back into the conversation) or the provider.
"""
