"""Fetch Markdown that nobody here wrote: the documentation inside source distributions.

A fixed list of releases, each with the digest of its archive. pip finds and fetches them, from
wherever pip is configured to look; nothing is built or run, and only ``*.md`` files leave the
archive.

    python -m bench.get_markdown
"""

import argparse
import hashlib
import io
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pip._internal.cli.req_command import RequirementCommand
from pip._internal.commands import create_command
from pip._vendor.packaging.specifiers import SpecifierSet

CORPUS = Path(__file__).parent / "corpus" / "markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One source distribution; ``keep`` are the folders whose Markdown is wanted."""

    name: str
    version: str
    sha256: str
    keep: tuple[str, ...]
    skip: tuple[str, ...] = ()


RELEASES = (
    Release(
        name="aider-chat",
        version="0.86.2",
        sha256="f38a9d322f5609f0c13af82d50c6a11170185b3fdf26956e4a7e89ba19819159",
        keep=("aider/website/",),
    ),
    Release(
        name="hatch",
        version="1.18.2",
        sha256="7f365f1a5b8f1a8162813daed9bf9fce83f15dc933fc99c6d04cbb942e64f4d0",
        keep=("docs/",),
    ),
    Release(
        name="jupyterhub",
        version="6.1.1",
        sha256="1d7b6713b31ebd76d61a13c202f9323e66c4e8cf731adc5d3052bb6ee6178a95",
        keep=("docs/source/",),
    ),
    Release(
        name="mcp",
        version="2.3.0",
        sha256="8b147a50441cf059dc88c684e0aeed3687f0aa0f39c6cde7b90330effd2b34d8",
        keep=("docs/", "examples/stories/", "i18n/fr/", "i18n/zh/"),
    ),
    Release(
        name="openai-agents",
        version="0.24.0",
        sha256="4b4b285f4fed81fdf1b4ac426a9101658d9cd29b4fb1aaeee18f639b77e704e3",
        keep=("docs/",),
        skip=("docs/ref/", "docs/zh/"),  # stubs that a generator fills in; there is Chinese in mcp
    ),
    Release(
        name="pymdown-extensions",
        version="13.1.2",
        sha256="724701395585d027fb18a6ad3377636570bac4f2917ed809f06cbc811d7e60bb",
        keep=("docs/src/",),
    ),
    Release(
        name="vllm",
        version="0.33.0",
        sha256="f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112",
        keep=("docs/",),
    ),
)


def fetch(release: Release) -> bytes:
    """Return the release's archive, fetched with pip's own finder and session.

    Raises:
        RuntimeError: pip knows no such archive, or its digest is not the recorded one.
    """
    command = create_command("download")
    if not isinstance(command, RequirementCommand):
        raise TypeError("this pip has another `download` command")
    options, _ = command.parse_args(["--no-deps", "--no-binary", ":all:", "--quiet", "x"])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options, session)  # noqa: SLF001 - pip has no public way
        wanted = SpecifierSet(f"=={release.version}")
        found = finder.find_best_candidate(release.name, wanted).best_candidate
        if found is None:
            raise RuntimeError(f"pip finds no archive of {release.name} {release.version}")
        response = session.get(found.link.url_without_fragment)
        response.raise_for_status()
        content: bytes = response.content
    digest = hashlib.sha256(content).hexdigest()
    if digest != release.sha256:
        raise RuntimeError(f"{release.name} {release.version} has digest {digest}")
    return content


def markdown_files(release: Release, archive: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the wanted files with their path below the archive's top folder.

    Only regular files count, and a path that would lead outside is passed over.
    """
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        for member in tar:
            name = PurePosixPath(member.name)
            path = PurePosixPath(*name.parts[1:])
            inside = not name.is_absolute() and ".." not in name.parts
            wanted = str(path).startswith(release.keep) and not str(path).startswith(release.skip)
            if member.isfile() and path.suffix == ".md" and inside and wanted:
                reader = tar.extractfile(member)
                if reader is not None:
                    yield path, reader.read()


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch every release that is not there yet; return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=CORPUS, help="folder to write to")
    out = parser.parse_args(arguments).out
    for release in RELEASES:
        folder = out / release.name
        if not folder.exists():
            part = out / f"{release.name}.part"
            for path, content in markdown_files(release, fetch(release)):
                target = part / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            part.rename(folder)
        files = list(folder.rglob("*.md"))
        size = sum(path.stat().st_size for path in files)
        print(f"{release.name} {release.version}: {len(files)} files, {size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
