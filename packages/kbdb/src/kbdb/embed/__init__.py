"""Texts in, vectors out: the provider protocol and the providers.

Must not know where vectors are kept or how they are searched.
"""
