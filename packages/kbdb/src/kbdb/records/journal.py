"""The write-ahead journal: what will be done to the records, synced before it is done.

A transaction is a run of frames, ``begin``, ``put`` and ``delete`` in order, ``commit``; each frame
carries a checksum. Only a transaction whose commit frame is whole counts. The journal knows paths
and bytes, and nothing of sections or documents.
"""

import io
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kbdb.records.durable import sync_fd, write_all

_HEAD = struct.Struct("<4sBxHQ")  # magic, kind, path length, data length
_CHECK = struct.Struct("<I")
_MAGIC = b"kbj1"
_BEGIN, _PUT, _DELETE, _COMMIT = 1, 2, 3, 4
_BUFFER_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Operation:
    """One file to be written, or to be deleted when ``data`` is None; ``path`` is relative."""

    path: str
    data: bytes | None


class Journal:
    """One append-only file; opened at the first write, emptied once its files are synced."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened yet."""
        self._path = path
        self._fd: int | None = None
        self._buffer = bytearray()
        self._start = 0
        self._is_committed = False

    @property
    def size_bytes(self) -> int:
        """Size on disk; 0 when there is no file."""
        try:
            return self._path.stat().st_size
        except FileNotFoundError:
            return 0

    def begin(self) -> None:
        """Start a transaction at the journal's end."""
        if self._fd is None:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._fd = os.open(self._path, flags, 0o666)
        self._start = os.lseek(self._fd, 0, os.SEEK_END)
        self._buffer.clear()
        self._is_committed = False
        self._frame(_BEGIN, "", b"")

    def put(self, path: str, data: bytes) -> None:
        """Add a file to be written."""
        self._frame(_PUT, path, data)

    def delete(self, path: str) -> None:
        """Add a file to be deleted."""
        self._frame(_DELETE, path, b"")

    def commit(self) -> None:
        """Close the transaction and return once it is on the disk."""
        self._frame(_COMMIT, "", b"")
        self._is_committed = True
        self._flush()
        sync_fd(self._descriptor)

    def cancel(self) -> None:
        """Forget the transaction, committed or not; nothing will ever replay it."""
        self._buffer.clear()
        if self._fd is None:
            return
        os.ftruncate(self._fd, self._start)
        if self._is_committed:
            sync_fd(self._fd)

    def current(self) -> Iterator[Operation]:
        """Yield the operations of the transaction that was just committed."""
        with self._path.open("rb") as file:
            file.seek(self._start)
            yield from _operations(file)

    def committed(self) -> Iterator[Operation]:
        """Yield the operations of every whole transaction, oldest first."""
        if not self.size_bytes:
            return
        with self._path.open("rb") as file:
            while end := _whole_until(file, file.tell()):
                yield from _operations(file)
                file.seek(end)

    def clear(self) -> None:
        """Empty the journal, durably."""
        if self._fd is None and not self.size_bytes:
            return
        if self._fd is None:
            self._fd = os.open(self._path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        os.ftruncate(self._fd, 0)
        sync_fd(self._fd)

    def close(self) -> None:
        """Close the file; its content stays."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @property
    def _descriptor(self) -> int:
        if self._fd is None:
            message = "no transaction is open"
            raise ValueError(message)
        return self._fd

    def _frame(self, kind: int, path: str, data: bytes) -> None:
        name = path.encode()
        frame = _HEAD.pack(_MAGIC, kind, len(name), len(data)) + name + data
        self._buffer += frame
        self._buffer += _CHECK.pack(zlib.crc32(frame))
        if len(self._buffer) > _BUFFER_BYTES:
            self._flush()

    def _flush(self) -> None:
        write_all(self._descriptor, bytes(self._buffer))
        self._buffer.clear()


def _read_frame(file: io.BufferedReader) -> tuple[int, str, bytes] | None:
    """Return one whole frame, or None where the journal ends or is torn."""
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    magic, kind, path_length, data_length = _HEAD.unpack(head)
    left = os.fstat(file.fileno()).st_size - file.tell()
    if magic != _MAGIC or path_length + data_length + _CHECK.size > left:
        return None
    rest = file.read(path_length + data_length)
    check = file.read(_CHECK.size)
    if _CHECK.unpack(check)[0] != zlib.crc32(rest, zlib.crc32(head)):
        return None
    return kind, rest[:path_length].decode("utf-8", "replace"), rest[path_length:]


def _whole_until(file: io.BufferedReader, start: int) -> int:
    """Return where the transaction at ``start`` ends, or 0 if it is not whole; seek back to it."""
    while (frame := _read_frame(file)) is not None:
        if frame[0] == _COMMIT:
            end = file.tell()
            file.seek(start)
            return end
    return 0


def _operations(file: io.BufferedReader) -> Iterator[Operation]:
    while (frame := _read_frame(file)) is not None and frame[0] != _COMMIT:
        kind, path, data = frame
        if kind in {_PUT, _DELETE}:
            yield Operation(path, data if kind == _PUT else None)
