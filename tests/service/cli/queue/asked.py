"""What the commands of the queue answer, as JSON."""

import json


def submit(stichwerk, *words):
    said = stichwerk("submit", *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["jobs"]


def jobs(stichwerk, *words):
    return json.loads(stichwerk("jobs", *words, "--json").out)["jobs"]
