"""JSON-RPC 2.0: messages, framing and the one table of methods.

Pure; knows no socket and no meaning of any method.
"""
