"""The command `scaling`, its power laws, and a few of its points."""

import json
from math import log
from statistics import linear_regression

import pytest
from attrs import evolve
from matplotlib.image import imread

from service.cli.scaling import command as curves_module
from service.cli.scaling.command import CURVES, fit

BY_NAME = {curve.name: curve for curve in CURVES}
FEW = (("deal D(n, n/2)", (4, 6, 8)), ("qft on star", (5, 6)))


@pytest.fixture
def few_curves(monkeypatch):
    curves = tuple(evolve(BY_NAME[name], sizes=sizes) for name, sizes in FEW)
    monkeypatch.setattr(curves_module.measured, "__defaults__", (curves,))


@pytest.mark.parametrize("exponent", [0.5, 1.0, 3.0])
def test_a_power_law_is_found_exactly(exponent):
    sizes = [4, 8, 16, 32]
    law = fit(sizes, [7 * size**exponent for size in sizes])
    assert law.exponent == pytest.approx(exponent)
    assert law.factor == pytest.approx(7)
    assert law.r_squared == pytest.approx(1)


def test_what_a_law_does_not_explain_lowers_r_squared():
    assert fit([1, 2, 4], [1, 4, 1]).r_squared == pytest.approx(0)
    assert fit([1, 2, 4], [5, 5, 5]).r_squared == 1


@pytest.mark.parametrize(("sizes", "figures"), [([4], [5]), ([4, 8], [0, 5])])
def test_without_two_positive_figures_there_is_no_law(sizes, figures):
    assert fit(sizes, figures) is None


@pytest.mark.usefixtures("few_curves")
def test_json_and_plot(stichwerk, folder):
    answer = json.loads(stichwerk("scaling", "--plot", "scaling.png", "--json").out)
    deal, qft = answer["curves"]
    assert [point["two_qubit_gates"] for point in deal["points"]] == [5, 24, 48]
    line = linear_regression([log(4), log(6), log(8)], [log(5), log(24), log(48)])
    assert deal["gates_fit"]["exponent"] == pytest.approx(line.slope)
    assert [point["size"] for point in qft["points"]] == [5, 6]
    assert (qft["axis"], qft["points"][0]["literal"]) == ("qubits", None)
    assert imread(folder / "scaling.png").shape[1] > 1000
