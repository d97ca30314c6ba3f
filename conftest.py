"""What every suite shares: an isolated environment and hypothesis profiles."""

import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("deep", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session", autouse=True)
def isolated_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the tests a home of their own, UTC, and none of the user's settings."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(("KBDB_", "KHABOT_", "XDG_")) or name in {"COLUMNS", "NO_COLOR"}:
                patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
