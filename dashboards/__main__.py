"""Writes the dashboards to `dashboards/grafana/`; `--check` only tells whether they are there."""

import argparse
import sys
from pathlib import Path

from dashboards.declared import files

FOLDER = Path(__file__).parent / "grafana"


def main() -> int:
    """Write or check the files; return 1 if some differ."""
    parser = argparse.ArgumentParser(prog="python -m dashboards", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if they differ")
    check = parser.parse_args().check
    texts = files()
    written = {path.name: path.read_text() for path in FOLDER.glob("*.json")}
    if check:
        stale = [name for name, _ in texts.items() ^ written.items()]
        for name in sorted(set(stale)):
            print(f"{FOLDER / name} differs from python -m dashboards: run it", file=sys.stderr)
        return int(bool(stale))
    FOLDER.mkdir(exist_ok=True)
    for name in written.keys() - texts.keys():
        (FOLDER / name).unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text)
        print(FOLDER / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
