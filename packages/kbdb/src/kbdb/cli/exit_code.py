"""Exit codes that no error of the error tree has."""

INTERRUPTED = 130
# What a shell reports of a program, such as cat, that SIGPIPE ended: 128 + 13.
BROKEN_PIPE = 141
