"""Benchmarks: judged ranking quality, known items, and what search, learning and ingest cost."""
