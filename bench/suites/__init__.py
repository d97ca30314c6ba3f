"""One module a question; each answers it with records."""
