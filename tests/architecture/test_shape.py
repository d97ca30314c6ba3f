import ast
import re
from pathlib import Path

MODULE_LINES = 400
LONGER_MODULES = {
    # The facade: one short method for each operation of the product; more than half is docstrings.
    "packages/kbdb/src/kbdb/base.py": 500,
}
FUNCTION_LINES = 60

# Split, so that this file holds none of them itself.
FORBIDDEN = [
    re.escape("".join(parts))
    for parts in (
        ("pypi", ".org"),
        ("pythonhosted", ".org"),
        ("npmjs", ".org"),
        ("npmjs", ".com"),
        ("debian", ".org"),
        ("/wor", "k/main"),
        ("/wor", "k/shared"),
        ("../", "shared"),
        ("/", "root/"),
        ("/tmp", "/v/"),
        (".py", "env/"),
    )
]


def parse(root: Path, module: Path) -> ast.Module:
    return ast.parse((root / module).read_text(encoding="utf-8"))


def test_every_module_fits_in_400_lines(root: Path, modules: list[Path]) -> None:
    lengths = {
        str(module): len((root / module).read_text(encoding="utf-8").splitlines())
        for module in modules
    }

    assert {
        name: length
        for name, length in lengths.items()
        if length > LONGER_MODULES.get(name, MODULE_LINES)
    } == {}


def test_every_function_fits_in_60_lines(root: Path, modules: list[Path]) -> None:
    too_long = {
        f"{module}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for module in modules
        for node in ast.walk(parse(root, module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    }

    assert too_long == {}


def test_subpackages_hold_nothing_but_a_docstring(root: Path, modules: list[Path]) -> None:
    packages = [
        module
        for module in modules
        if module.name == "__init__.py" and module.parent.parent.name != "src"
    ]

    assert packages
    assert [
        str(module)
        for module in packages
        if len(parse(root, module).body) != 1 or ast.get_docstring(parse(root, module)) is None
    ] == []


def test_the_repository_names_no_registry_and_no_machine(
    root: Path, repository_files: list[Path]
) -> None:
    forbidden = re.compile("|".join(FORBIDDEN), re.IGNORECASE)
    texts = {
        path: (root / path).read_text(encoding="utf-8", errors="replace")
        for path in repository_files
        if path.parts[:2] != ("bench", "data")
    }

    assert [
        f"{path}: {found.group()}"
        for path, text in texts.items()
        if (found := forbidden.search(text))
    ] == []


def test_pins_are_names_and_versions_only(root: Path) -> None:
    pins = (root / "requirements" / "dev.txt").read_text(encoding="utf-8").splitlines()

    assert pins
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9A-Za-z.]+", pin)] == []


def test_development_asks_for_everything_that_kbdb_needs(root: Path) -> None:
    wanted = (root / "requirements" / "dev.in").read_text(encoding="utf-8").splitlines()
    project = (root / "packages" / "kbdb" / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = re.findall(r'^    "([^"]+[0-9])",$', project, re.MULTILINE)

    assert dependencies
    assert [dependency for dependency in dependencies if dependency not in wanted] == []


def test_every_package_carries_the_licence(root: Path) -> None:
    licence = (root / "LICENSE").read_bytes()
    projects = sorted((root / "packages").glob("*/pyproject.toml"))

    assert projects
    assert [
        project.parent.name
        for project in projects
        if project.with_name("LICENSE").read_bytes() != licence
    ] == []
