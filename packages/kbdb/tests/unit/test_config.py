"""Settings: which layer wins, and what a wrong one is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.config import SETTINGS_TEXT, Config, load_config
from kbdb.errors import ConfigError, UnknownValueError


def test_defaults_hold_where_nothing_is_said() -> None:
    config, origins = load_config(file_text=SETTINGS_TEXT, env={"PATH": "x", "KBDB_DIR": "y"})

    assert config == Config()
    assert set(origins.values()) == {"default"}


def test_settings_text_shows_every_key_with_its_default() -> None:
    config, origins = load_config(file_text=SETTINGS_TEXT.replace("# language", "language"), env={})
    assert (config, origins["search_language"]) == (Config(), "worker.toml")

    text = SETTINGS_TEXT.replace("# max_bytes", "max_bytes")
    config, origins = load_config(file_text=text, env={})
    assert (config, origins["ingest_max_bytes"]) == (Config(), "worker.toml")


def test_later_layers_win_and_each_value_remembers_its_own() -> None:
    file_text = '[search]\nlanguage = "german"\n[ingest]\nmax_bytes = 10\n'
    env = {"KBDB_SEARCH_LANGUAGE": "french", "KBDB_INGEST_MAX_BYTES": "20"}

    config, origins = load_config(file_text=file_text, env=env, flags={"ingest_max_bytes": 30})

    assert (config.search_language, config.ingest_max_bytes) == ("french", 30)
    assert origins == {"search_language": "environment", "ingest_max_bytes": "flag"}


@pytest.mark.parametrize(
    ("file_text", "env", "named"),
    [
        ('[search]\nlanguege = "german"', {}, "[search] language"),
        ('[serch]\nlanguage = "german"', {}, "[search] language"),
        ("[ingest]\nmaxbytes = 1", {}, "[ingest] max_bytes"),
        ("", {"KBDB_SEARCH_LANGUEGE": "german"}, "[search] language"),
        ('search_language = "german"', {}, "[search] language"),
        ("zzz = 1", {}, "[ingest] max_bytes"),
        ("search = 1", {}, "[search] language"),
    ],
)
def test_unknown_setting_is_told_the_nearest(
    file_text: str, env: Mapping[str, str], named: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(file_text=file_text, env=env)

    assert named in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("file_text", "env"),
    [
        ("[search]\nlanguage = 1", {}),
        ("[search]\nlanguage = [1]", {}),
        ("[ingest]\nmax_bytes = 1.5", {}),
        ("[ingest]\nmax_bytes = true", {}),
        ("[ingest]\nmax_bytes = 0", {}),
        ("[ingest]\nmax_bytes = -1", {}),
        ("", {"KBDB_INGEST_MAX_BYTES": "0"}),
        ("", {"KBDB_INGEST_MAX_BYTES": "-5"}),
        ("", {"KBDB_INGEST_MAX_BYTES": "many"}),
        ("", {"KBDB_INGEST_MAX_BYTES": ""}),
        ("", {"KBDB_INGEST_MAX_BYTES": "9" * 5_000}),
        ("[search", {}),
        ("[search]\nlanguage = german", {}),
        ("[search]\n[search]", {}),
        (f"[ingest]\nmax_bytes = {'9' * 5_000}", {}),
    ],
)
def test_value_of_another_kind_is_refused_with_what_to_do(
    file_text: str, env: Mapping[str, str]
) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(file_text=file_text, env=env)

    assert refused.value.hint


def test_language_of_the_environment_wins_and_rebuilds_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn("The runners were running", docid="runs")
        assert base.search("run").hits
    current = tmp_path / "kb" / "indexes" / "current"
    before = current.read_text("ascii")

    monkeypatch.setenv("KBDB_SEARCH_LANGUAGE", "none")
    with KnowledgeBase.open(tmp_path / "kb") as base:
        assert base.status().language == "none"
        assert base.config_origins["search_language"] == "environment"
        assert not base.search("run").hits
        assert base.search("running").hits
        assert base.search("the").hits
    assert current.read_text("ascii") != before

    monkeypatch.delenv("KBDB_SEARCH_LANGUAGE")
    with KnowledgeBase.open(tmp_path / "kb") as base:
        assert base.search("run").hits


def test_language_of_the_file_rebuilds_the_index(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn("Die Häuser stehen am Fluss", docid="haus")
        assert not base.search("haus").hits

    (tmp_path / "kb" / "worker.toml").write_text('[search]\nlanguage = "german"', encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "kb") as base:
        assert base.search("haus").hits
        base.learn("Ein Haus am See", docid="see")
        assert len(base.search("häuser").hits) == 2


def test_unknown_language_is_told_those_that_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    KnowledgeBase.create(tmp_path / "kb").close()
    monkeypatch.setenv("KBDB_SEARCH_LANGUAGE", "germn")

    with pytest.raises(UnknownValueError) as refused:
        KnowledgeBase.open(tmp_path / "kb")

    assert "'german'" in (refused.value.hint or "")
    monkeypatch.delenv("KBDB_SEARCH_LANGUAGE")
    KnowledgeBase.open(tmp_path / "kb").close()
