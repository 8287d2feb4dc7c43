"""What a room is can be read file by file, and no folder of it holds more than can be looked over.

No file imports itself, however long the way around.
"""

import ast
import tomllib
from collections import Counter
from pathlib import Path

import grimp
from grimp import ImportGraph

ROOT = Path(__file__).parents[1]
ROOMS = ("compiler", "games", "backends", "workers", "play", "service", "dashboards")
MAX_FILES = 14
"""Python modules beside one another in one folder."""

CATALOGUES = {
    "compiler/lowering",
    "compiler/targets",
    "games/trick_taking/operators",
    "workers/records/migrations/versions",
}
"""Folders to which a pass, a target, an operator or a migration is added as a file of its own."""


def crowded(root: Path) -> dict[str, int]:
    """Return the folders below `root` that hold more modules than they may, and how many."""
    folders = Counter(path.parent for path in root.rglob("*.py") if path.name != "__init__.py")
    return {
        path.relative_to(root).as_posix(): files
        for path, files in folders.items()
        if files > MAX_FILES
    }


def circles(graph: ImportGraph) -> list[list[str]]:
    """Return the groups of modules that all import one another, directly or not."""
    left = set(graph.modules)
    found = []
    while left:
        one = left.pop()
        group = {one} | (
            graph.find_downstream_modules(one) & graph.find_upstream_modules(one) & left
        )
        left -= group
        if len(group) > 1:
            found.append(sorted(group))
    return found


def test_no_file_imports_itself_in_a_circle():
    assert circles(grimp.build_graph(*ROOMS)) == []


def test_a_circle_is_found():
    graph = ImportGraph()
    for name in ("a", "b", "c", "d"):
        graph.add_module(name)
    for importer, imported in (("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")):
        graph.add_import(importer=importer, imported=imported)
    assert circles(graph) == [["a", "b", "c"]]


def test_no_folder_is_crowded():
    found = {
        f"{room}/{folder}".removesuffix("/."): files
        for room in (*ROOMS, "tools", "tests")
        for folder, files in crowded(ROOT / room).items()
    }
    assert {folder: files for folder, files in found.items() if folder not in CATALOGUES} == {}


def test_a_crowded_folder_is_named(tmp_path):
    for folder, files in (("few", MAX_FILES), ("many", MAX_FILES + 1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
        for number in range(files):
            (tmp_path / folder / f"module_{number}.py").touch()
    assert crowded(tmp_path) == {"many": MAX_FILES + 1}


def test_every_test_whose_cases_are_left_out_exists():
    for path, cases in tomllib.loads((ROOT / "tests/cases.toml").read_text()).items():
        nodes = ast.walk(ast.parse((ROOT / path).read_text()))
        assert {*cases} <= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
