"""Where everything lies inside a knowledge base's folder, as POSIX paths relative to it."""

FORMAT_NUMBER = 1
FORMAT_FILE = "format"
SETTINGS_FILE = "worker.toml"
JOURNAL_FILE = "journal"
LOCK_FILE = "lock"
IGNORE_FILE = ".gitignore"
ATTRIBUTES_FILE = ".gitattributes"
SECTIONS = "sections"
DOCUMENTS = "documents"
RETIRED = "retired"
INDEXES = "indexes"

IGNORE_TEXT = f"/{INDEXES}/\n/{JOURNAL_FILE}\n/{LOCK_FILE}\n.*.tmp\n"
# Git must not convert line ends: a body is kept byte for byte.
ATTRIBUTES_TEXT = "* -text\n"

_SUFFIX_BY_TYPE = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
    "image/bmp": "bmp",
    "image/avif": "avif",
    "image/x-icon": "ico",
}


def section_path(kbid: str) -> str:
    """Return the file of a section: front matter, then the body if it is text."""
    return f"{SECTIONS}/{kbid[:2]}/{kbid}.md"


def binary_path(kbid: str, media_type: str) -> str:
    """Return the sibling file that holds a section's body when it is not text."""
    return f"{SECTIONS}/{kbid[:2]}/{kbid}.{_SUFFIX_BY_TYPE.get(media_type, 'bin')}"


def document_path(docid: str) -> str:
    """Return the file of a document's manifest."""
    return f"{DOCUMENTS}/{docid}.json"


def tombstone_path(kbid: str) -> str:
    """Return the file of a section's tombstone."""
    return f"{RETIRED}/{kbid}.json"
