"""Allow, ask and deny rules and their evaluation.

Pure; must not ask anybody and must not run anything.
"""
