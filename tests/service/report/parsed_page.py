"""A page as a parser reads it."""

import json
from html.parser import HTMLParser

VOID = {"meta", "input"}


class Page(HTMLParser):
    """A page's elements: balanced, with the text of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.caption: str | None = None
        self.scripts: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "caption":
            self.caption = ""
        if tag == "tr":
            self.tables.setdefault(self.caption or "", []).append([])
        if tag in ("td", "th"):
            self.tables[self.caption or ""][-1].append("")
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
            return
        self.text += data
        if "caption" in self.open:
            self.caption += data
        if {"td", "th"} & set(self.open):
            self.tables[self.caption][-1][-1] += data

    def table(self, caption: str) -> list[dict[str, str]]:
        """Return the rows of the table whose caption begins so, by heading."""
        [rows] = [rows for name, rows in self.tables.items() if name.startswith(caption)]
        return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]

    def attributes(self, tag: str, name: str) -> list[str]:
        return [attrs[name] or "" for t, attrs in self.tags if t == tag and name in attrs]

    def details(self, job: int) -> "Page":
        """Return what is shown of a job when it is opened."""
        start = self.html.index(f'<template id="job-{job}-details">')
        return Page(self.html[start : self.html.index("</template>", start)] + "</template>")

    def shares(self, job: int) -> dict[str, int]:
        """Return the shots of the outcomes of a job that are drawn, by label."""
        return {
            label: shots
            for trace in self.records["plots"][f"job-{job}-outcomes"]["traces"]
            if trace["type"] == "bar"
            for label, (shots,) in zip(trace["y"], trace["customdata"], strict=True)
        }

    @property
    def records(self):
        return json.loads(self.scripts[0])
