"""Settings: defaults, then ``worker.toml``, then the environment, then flags.

Each value remembers where it came from.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from kbdb.errors import ConfigError

_ENV_PREFIX = "KBDB_"
# Names in the environment that are no settings.
_NOT_SETTINGS = frozenset({"KBDB_DIR", "KBDB_DEBUG", "KBDB_COMPLETE"})
_MAX_DIGITS = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Every setting with its default; the name is ``table_key`` of worker.toml.

    ``search_language`` is a Snowball stemmer's name, or ``none``. ``ingest_max_bytes`` is the size
    above which a file is skipped.
    """

    search_language: str = "english"
    ingest_max_bytes: int = 20_000_000


SETTINGS_TEXT = """\
# Settings of this knowledge base. Every key is shown with its default; take the # away to change
# it. The environment wins over this file: KBDB_SEARCH_LANGUAGE for [search] language, and so on.

[search]
# The stemmer that makes "run" find "running": a Snowball language, or "none".
# Changing it rebuilds the index at the next start.
# language = "english"

[ingest]
# Files over this size in bytes are skipped.
# max_bytes = 20000000
"""


def load_config(
    *, file_text: str = "", env: Mapping[str, str], flags: Mapping[str, object] | None = None
) -> tuple[Config, Mapping[str, str]]:
    """Merge the layers, and say for each setting which one it came from.

    Args:
        file_text: What worker.toml holds.
        env: The environment; names that begin with ``KBDB_`` and a table's name are settings.
        flags: Values by setting name that win over everything.

    Raises:
        ConfigError: A name is unknown or a value does not parse.
    """
    names = _names()
    tables = {name.partition("_")[0] for name in names}
    layers: list[tuple[str, Mapping[str, object]]] = [
        ("worker.toml", _flat(file_text)),
        (
            "environment",
            {
                name.removeprefix(_ENV_PREFIX).lower(): value
                for name, value in env.items()
                if name.startswith(_ENV_PREFIX)
                and name not in _NOT_SETTINGS
                and name.removeprefix(_ENV_PREFIX).partition("_")[0].lower() in tables
            },
        ),
        ("flag", flags or {}),
    ]
    config = Config()
    origins = dict.fromkeys(names, "default")
    for origin, values in layers:
        for name, value in values.items():
            if name not in origins:
                raise _unknown(name, origin, names)
            config = replace(config, **{name: _parsed(name, value, getattr(config, name), origin)})
            origins[name] = origin
    return config, origins


def _names() -> list[str]:
    return [field.name for field in fields(Config)]


def _flat(text: str) -> dict[str, object]:
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"worker.toml does not parse: {error}", hint="mend the line, or move the file away"
        ) from error
    flat: dict[str, object] = {}
    for table, values in tables.items():
        if isinstance(values, dict):
            flat |= {f"{table}_{key}": value for key, value in values.items()}
        else:
            raise _unknown(table, "worker.toml, outside any table,", _names())
    return flat


def _parsed(name: str, value: object, like: Any, origin: str) -> Any:
    if isinstance(like, int) and isinstance(value, str) and value.isdecimal():
        value = int(value) if len(value) <= _MAX_DIGITS else value
    if type(value) is not type(like) or (isinstance(value, int) and value < 1):
        raise ConfigError(
            f"{_shown(name)} in {origin} is {value!r}",
            hint=f"give a value like the default, {like!r}",
        )
    return value


def _unknown(name: str, origin: str, names: list[str]) -> ConfigError:
    close = get_close_matches(name, names, n=1)
    known = ", ".join(_shown(one) for one in names)
    hint = f"did you mean {_shown(close[0])}?" if close else f"known settings: {known}"
    return ConfigError(f"unknown setting {_shown(name)} in {origin}", hint=hint)


def _shown(name: str) -> str:
    table, _, key = name.partition("_")
    return f"[{table}] {key}" if key else table
