"""No file imports itself, however long the way around: what a room is can be read file by file."""

import grimp
from grimp import ImportGraph

ROOMS = ("compiler", "games", "backends", "workers", "service", "dashboards")


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
