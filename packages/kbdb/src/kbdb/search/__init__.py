"""A query in, hits out: query reading, loosening, the verdict, snippets, token budgets.

Must not know how anything was learned, and writes nothing.
"""
