"""What the tests of the command line hand around: a way to run it and what it left behind."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What a command left behind."""

    exit_code: int
    stdout: bytes
    stderr: bytes = b""

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def err(self) -> str:
        return self.stderr.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


Run = Callable[..., Ended]
KEYS = "# Keys\n\nRotate the signing keys every month.\n"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c63600000000200014820a4f10000000049454e44ae426082"
)


def learned(base: Run, text: str, *options: str) -> dict[str, Any]:
    ended = base("learn", "-", "--json", *options, stdin=text.encode())
    result: dict[str, Any] = ended.json["results"][0]
    return result


def first_kbid(base: Run, text: str = KEYS, *options: str) -> str:
    kbid: str = learned(base, text, *options)["sections"][0]["kbid"]
    return kbid
