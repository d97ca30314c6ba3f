"""Sizes as people read them."""


def human_size(size_bytes: int) -> str:
    """Return a size in decimal units, such as ``1.5 MB``."""
    size = float(size_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
