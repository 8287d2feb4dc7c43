"""`python -m dashboards.preview` takes pictures of the dashboards."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from compiler.errors import InputError, StichwerkError
from dashboards.preview.camera import chromium, photograph
from dashboards.preview.page import build_page, type_problems
from dashboards.preview.server import Sources, serving

GENERATED = Path(__file__).parents[1] / "grafana"
PICTURES = Path(__file__).parents[2] / "docs" / "dashboards"


def preview(
    *,
    dashboards: Annotated[
        list[Path] | None, typer.Argument(help="Their JSON files; by default all generated ones.")
    ] = None,
    prometheus: Annotated[str, typer.Option(help="URL of Prometheus.")] = "http://127.0.0.1:9090",
    postgres: Annotated[str, typer.Option(help="URL of the database of jobs, to be read.")] = "",
    out: Annotated[Path, typer.Option(help="Folder that the pictures go to.")] = PICTURES,
    start: Annotated[str, typer.Option("--from", help="Instead of the dashboard's own.")] = "",
    end: Annotated[str, typer.Option("--to", help="Instead of the dashboard's own.")] = "",
    var: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE of a variable; again for several values.")
    ] = None,
    scrape_seconds: Annotated[
        int, typer.Option(min=1, help="Scrape interval, as the data source is told of it.")
    ] = 15,
    width: Annotated[int, typer.Option(min=400, max=4000, help="Pixels.")] = 1600,
    light: Annotated[bool, typer.Option("--light", help="In Grafana's light theme.")] = False,
) -> int:
    """Check dashboards against Grafana's types, draw them with its components, write a PNG of each.

    What is wrong, and which panels have no data, goes to stderr.
    """
    files = dashboards or sorted(GENERATED.glob("*.json"))
    if not files:
        raise InputError(f"there are no dashboards in {GENERATED}")
    view = {
        "from": start or None,
        "to": end or None,
        "values": _values(var or []),
        "theme": "light" if light else "dark",
        "scrapeSeconds": scrape_seconds,
    }
    read = {file: _read(file) for file in files}
    sources = Sources(prometheus.rstrip("/"), postgres)
    sources.check()
    page = build_page()
    out.mkdir(parents=True, exist_ok=True)
    problems = type_problems(files)
    for problem in problems:
        print(problem, file=sys.stderr)
    wrong = len(problems)
    with chromium() as browser:
        for file, dashboard in read.items():
            picture = out / f"{file.stem}.png"
            with serving(page, view | {"dashboard": dashboard}, sources) as url:
                look = photograph(browser, url, width, picture)
            print(picture)
            for error in look.errors:
                print(f"  {error}", file=sys.stderr)
            if look.empty:
                print(f"  no data: {', '.join(look.empty)}", file=sys.stderr)
            wrong += len(look.errors)
    return 1 if wrong else 0


def _values(texts: list[str]) -> dict[str, str | list[str]]:
    given: dict[str, list[str]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--var takes NAME=VALUE, not '{text}'")
        given.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in given.items()}


def _read(file: Path) -> dict[str, Any]:
    try:
        dashboard = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise InputError(f"{file} is no dashboard: {error}") from error
    if not isinstance(dashboard, dict) or "panels" not in dashboard:
        raise InputError(f"{file} is no dashboard: it has no panels")
    return dashboard


def main() -> None:
    """Run the command and exit with its code: 0 done, 1 a panel failed, 2 bad input."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(preview)
    try:
        code = app(prog_name="preview", standalone_mode=False)
    except TyperException as error:
        sys.exit(_refuse(error.format_message(), 2))
    except StichwerkError as error:
        sys.exit(_refuse(str(error), 2 if isinstance(error, InputError) else 1))
    sys.exit(code if isinstance(code, int) else 0)


def _refuse(message: str, code: int) -> int:
    print(f"preview: {' '.join(message.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
