"""The generated dashboards: complete, sound, and what the code says."""

import json
import re
from itertools import combinations

import pytest
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import dashboard as model
from grafana_foundation_sdk.models import units

from dashboards.__main__ import main
from dashboards.declared import files
from tests.dashboards.boards import (
    BOARDS,
    FOLDER,
    VARIABLE,
    choices,
    metrics_in,
    panels,
    questions,
    recorded_in,
)
from tests.dashboards.rule_files import ROOT, rules

UNITS = {value for name, value in vars(units).items() if not name.startswith("_")}

each_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def test_the_files_are_what_the_code_says():
    assert {path.name: path.read_text() for path in FOLDER.iterdir()} == files()


def test_check_tells_stale_files_and_writing_makes_them_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("dashboards.__main__.FOLDER", tmp_path / "grafana")
    monkeypatch.setattr("sys.argv", ["dashboards", "--check"])
    assert main() == 1
    assert capsys.readouterr().err.count("differs from") == len(BOARDS)
    monkeypatch.setattr("sys.argv", ["dashboards"])
    assert main() == 0
    (tmp_path / "grafana" / "old.json").write_text("{}")
    monkeypatch.setattr("sys.argv", ["dashboards", "--check"])
    assert main() == 1
    monkeypatch.setattr("sys.argv", ["dashboards"])
    assert main() == 0
    assert {path.name: path.read_text() for path in (tmp_path / "grafana").iterdir()} == files()


@each_board
def test_the_sdk_knows_every_key(board):
    plugins.register_default_plugins()
    read = model.Dashboard.from_json(board)
    assert json.loads(json.dumps(read, cls=JSONEncoder)) == board


@each_board
def test_panels_lie_side_by_side_on_the_grid(board):
    numbers = [panel["id"] for panel in board["panels"]]
    assert len(set(numbers)) == len(numbers)
    places = [panel["gridPos"] for panel in board["panels"]]
    for place in places:
        assert place["x"] + place["w"] <= 24
    for a, b in combinations(places, 2):
        apart = (
            a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
            or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]
        )  # fmt: skip
        assert apart, (a, b)
    assert board["panels"][0]["type"] == "row"
    titles = [panel["title"] for panel in board["panels"] if panel["type"] != "row"]
    assert len(set(titles)) == len(titles)


@each_board
def test_panels_say_what_they_show_and_in_which_unit(board):
    for panel in panels(board):
        check_panel(panel)


def check_panel(panel):
    assert panel["title"], panel
    assert panel["description"][0].isupper()
    assert panel["description"].endswith(".")
    assert panel["fieldConfig"]["defaults"]["unit"] in UNITS
    for override in panel["fieldConfig"].get("overrides", ()):
        for chosen in override["properties"]:
            if chosen["id"] == "unit":
                assert chosen["value"] in UNITS
    renamed = {
        name
        for transformation in panel.get("transformations", ())
        if transformation["id"] == "organize"
        for name in transformation["options"]["renameByName"].values()
    }
    if renamed:
        named = {
            override["matcher"]["options"]
            for override in panel["fieldConfig"]["overrides"]
            if override["matcher"]["id"] == "byName"
        }
        labels = set(panel["transformations"][-1]["options"]["indexByName"])
        assert named <= renamed | labels


@each_board
def test_variables_are_used_and_what_is_used_is_a_variable(board):
    names = [variable["name"] for variable in board["templating"]["list"]]
    assert len(set(names)) == len(names)
    used = set()
    for panel in panels(board):
        used |= {panel["datasource"]["uid"].strip("${}")}
        used |= set(VARIABLE.findall(panel["title"]))
        for target in panel["targets"]:
            used |= set(VARIABLE.findall(target.get("expr") or target["rawSql"]))
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            used |= set(VARIABLE.findall(variable["query"]))
            used |= {variable["datasource"]["uid"].strip("${}")}
    assert used == set(names)


def _addresses(found):
    if isinstance(found, dict):
        for name, value in found.items():
            if name == "url" and value:
                yield value
            yield from _addresses(value)
    elif isinstance(found, list):
        for value in found:
            yield from _addresses(value)


def test_links_lead_to_dashboards_and_set_variables_that_they_have():
    addresses = [address for board in BOARDS.values() for address in _addresses(board)]
    assert addresses
    for address in addresses:
        uid, _, query = address.removeprefix("/d/").partition("?")
        names = {variable["name"] for variable in BOARDS[uid]["templating"]["list"]}
        set_ = set(re.findall(r"(?:^|&)var-(\w+)=", query))
        passed_on = set(re.findall(r"\$\{(\w+):queryparam\}", query))
        assert set_ | passed_on <= names
        assert set_


def test_recorded_series_are_used_and_what_is_used_is_recorded():
    recorded = {rule.name for rule in rules() if rule.kind == "record"}
    asked = set().union(*(recorded_in(question.text) for question in questions()))
    for rule in rules():
        texts = (rule.expression, *rule.fields.get("annotations", {}).values())
        asked |= set().union(*map(recorded_in, texts))
    assert asked == recorded


def test_every_sql_file_is_used():
    asked = {question.text for question in (*questions(), *choices())}
    for path in (ROOT / "dashboards" / "sql").iterdir():
        assert path.read_text().strip() in asked


def test_metrics_are_used_and_what_is_used_is_a_metric():
    pages = "".join(page.read_text() for page in (ROOT / "docs").glob("metrics*.md"))
    listed = set(re.findall(r"^\| `(stichwerk_\w+)` \|", pages, re.M))
    asked = set().union(*(metrics_in(question.text) for question in (*questions(), *choices())))
    asked |= set().union(*(metrics_in(rule.expression) for rule in rules()))
    assert asked == listed
