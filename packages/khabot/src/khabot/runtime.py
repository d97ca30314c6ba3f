"""The composition root: the one place that chooses implementations and wires them together."""
