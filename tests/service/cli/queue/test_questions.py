"""All questions of a nonlocal game as one job, on the command line."""

import json

import pytest

RUN = ("run", "chsh", "-b", "sparse", "--shots", "100", "--processes", "1")


def test_all_questions_have_one_win_rate(answer_of, stichwerk):
    result = answer_of(*RUN, "--questions")
    won = result["win_rate"]
    assert (won["shots"], won["bound"], won["game"]) == (400, 0.75, "CHSH")
    assert won["low"] <= won["win_rate"] == won["wins"] / 400 <= won["high"]
    questions = [f"chsh:{x},{y}" for x in "01" for y in "01"]
    assert [run["program"] for run in result["runs"]] == questions
    assert all(run["scores"]["post_selected"] is None for run in result["runs"])
    (parent,) = json.loads(stichwerk("jobs", "--json").out)["jobs"]
    batched = answer_of("job", str(parent["id"]))["batched"]
    assert batched["win_rate"] == won


@pytest.mark.parametrize(
    "words",
    [
        ("run", "skat-4", "-b", "sparse", "--questions"),
        ("run", "colouring", "-b", "sparse"),
        ("compile", "chsh", "--target", "all", "--questions"),
        ("compile", "chsh:0,0", "--target", "all", "--distance", "2"),
        (*RUN, "--questions", "--mitigation", "dd"),
        (*RUN, "--questions", "--bind", "theta=1"),
    ],
)
def test_what_has_no_win_rate_is_refused_with_one_line(stichwerk, words):
    refused = stichwerk(*words)
    assert refused.code == 2
    assert refused.err.strip().splitlines()[-1].startswith("stichwerk: ")
