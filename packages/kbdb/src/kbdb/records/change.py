"""What a transaction touches, by identity; the index follows it."""

from dataclasses import dataclass, field

from kbdb.model import Section

# Sections kept in memory so that the index need not read again what was just written.
_KEEP_BYTES = 64 << 20


@dataclass(slots=True)
class Changes:
    """Ids of the records that were written or deleted, each once, in the order of the first touch.

    ``sections`` maps a kb-id to the section where it is still at hand, else to None.
    """

    sections: dict[str, Section | None] = field(default_factory=dict)
    docids: dict[str, None] = field(default_factory=dict)
    tombstones: dict[str, None] = field(default_factory=dict)
    _kept_bytes: int = 0

    def touch_section(self, kbid: str, section: Section | None = None) -> None:
        """Note a section; keep its content while there is room."""
        if section is not None:
            self._kept_bytes += len(section.body)
            if self._kept_bytes > _KEEP_BYTES:
                section = None
        self.sections[kbid] = section

    def touch_path(self, path: str) -> None:
        """Note the record that lies at a relative path."""
        folder, _, rest = path.partition("/")
        name = rest.rsplit("/", 1)[-1]
        if folder == "sections":
            self.sections[name.partition(".")[0]] = None
        elif folder == "documents":
            self.docids[name.removesuffix(".json")] = None
        else:
            self.tombstones[name.removesuffix(".json")] = None
