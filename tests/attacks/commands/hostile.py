"""Values that nobody sane gives, by what they pretend to be."""

import os
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path

from attrs import frozen

Make = Callable[[Path], None]


@frozen
class Hostile:
    """A value, and the file that it needs.

    Args:
        text: what is written on the command line or in a variable.
        make: makes what the text names, in the folder where the command runs; None for nothing.
    """

    text: str
    make: Make | None = None


NUMBERS = (
    "", " ", "0", "-0", "-1", "1.5", "1e9", "1e400", "nan", "-inf", "0x10", "1_000", "٣", "²", "+5",
    "1,000", "2147483648", "9223372036854775808", "65536", "9" * 5000, "1e99999999999", "None",
)  # fmt: skip

MONEY = (
    "1e30USD", "1e999999", "1e-999999", "-5USD", "NaNUSD", "sNaN", "USD", "$$5", "5USDUSD", "5EUR",
    "٥USD", "1000000001", "0.0000000000000000000000000001",
)  # fmt: skip

TIMES = (
    "999999d", "-1d", "d", "1.5d", "0m", "1y", "0001-01-01", "2026-02-30", "2026-01-31T25:00",
    "9999-12-31T23:59:59-23:59", "20260131", "now", "2026-01-31T00:00:00+99:99",
)  # fmt: skip

ADDRESSES = (
    "://", "sqlite://", "sqlite:///a/b/c", "sqlite:///:memory:", "sqlite:///x?timeout=soon",
    "sqlite+nope:///x", "postgresql://", "mysql://127.0.0.1/x", "postgresql+psycopg://127.0.0.1:1/x",
    "postgresql+psycopg://127.0.0.1:port/x", "postgresql+psycopg://[::1/x",
    "postgresql+psycopg://user:pa%ZZ@127.0.0.1:1/x", "postgresql+asyncpg://127.0.0.1:1/x",
    "postgresql+psycopg://\u2100:1/x", "file:///etc/passwd", "redis://127.0.0.1:99999/0",
    "redis://127.0.0.1:1/zero", "redis://127.0.0.1:1/0?socket_timeout=soon", "redis://[::1",
    "rediss://127.0.0.1:1/0?ssl_ca_certs=gone", "unix:///gone?db=x", "amqp://127.0.0.1:1//",
)  # fmt: skip

WORDS = (
    "x" * 201, "x" * 100_000, "\udce9", "a\nb", "\t", "\x1b[2J\x1b]0;x\x07", "\u202eexe", "💥",
    "%s%n%d", "{0}{x}", "'; DROP TABLE job;--", "-", "--", "--nope", "null", "..", "*", "é" * 60,
    "all:" + "9" * 5000, "all:-1", "star:2:cz:", "heavy-hex:", ":::", "aer:torino:x", "ibm:",
    "skat-9:H10:H10", "skat-32::::", "late-result:::nan", "expired-token:" + "x" * 5000,
    "compile,compile,", "benchmark:ghz:999999999", "[bold]", "\\", "\"", "256.1.1.1",
)  # fmt: skip

NAMES = (
    "gone.toml", "gone/x.qasm", "toy.toml/x.toml", "a" * 300 + ".toml", ".qasm", "x.QASM",
    "/".join(["a" * 200] * 30) + ".html", "/proc/self/mem", "/dev/stdin", "x.png/", "/dev/full",
)  # fmt: skip

TOY = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
SUITE = 'suite = "nightly"\nprograms = ["toy.toml"]\nbackends = ["sparse"]\nmethod = "fast"\n'
PRICES = '[ibm]\nas_of = 2026-01-01\nsource = "x"\n'
QASM_2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
QASM_3 = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'

STRANGE_VALUES = (
    "1e999", "nan", "-inf", "0x" + "f" * 10_000, "9" * 10_000, "-1", "9223372036854775807", "true",
    "2026-01-01", "25:61:00", "07:32:00", '""', '"\\u0000"', '"' + "x" * 100_000 + '"', "[]", "{}",
    "[" * 5000, "[" * 40 + "]" * 40, '[["a"]]', "{a.b.c = 1}", "[nan]", '["\\u001b[2J"]',
    '"\\U0001F4A5"', "1979-05-27T00:32:00.999999-07:00",
)  # fmt: skip


def texts() -> dict[str, str | bytes]:
    """Return contents of files that claim to be a program, a suite or prices, by their names."""
    found: dict[str, str | bytes] = {
        "empty.toml": b"",
        "nul.toml": b"\0" * 1000,
        "bom.toml": b"\xef\xbb\xbf" + TOY.encode(),
        "latin.toml": b'game = "caf\xe9"\n',
        "deep.toml": "x = " + "[" * 100_000,
        "dots.toml": "a." * 20_000 + "a = 1\n",
        "deep-dots.toml": TOY + "known." + "a." * 150 + "a = 1\n",
        "long.toml": TOY + "#" * 2_000_000,
        "huge-suite.toml": SUITE.replace('["toy.toml"]', str(["toy.toml"] * 1000)).replace(
            '["sparse"]', str(["sparse"] * 1000)
        ),
        "nul-in-suite.toml": SUITE.replace("toy.toml", "a\\u0000.toml"),
        "self.toml": SUITE.replace("toy.toml", "self.toml"),
        "fifo-in-suite.toml": SUITE.replace("toy.toml", "fifo.toml"),
        "empty.qasm": b"",
        "binary.qasm": bytes(range(128, 256)) * 100,
        "wide-2.qasm": QASM_2 + "qreg q[100000000];\nh q;\n",
        "wide-product.qasm": QASM_3 + "qubit[10000*10000] q;\nh q;\n",
        "wide-bits.qasm": QASM_2 + "qreg q[1];\ncreg c[1000000000];\nh q;\n",
        "many-registers.qasm": QASM_2 + "".join(f"qreg q{n}[100];\n" for n in range(200)),
        "deep-2.qasm": QASM_2 + "qreg q[1];\nrz(" + "(" * 100_000 + "1" + ")" * 100_000 + ") q;\n",
        "deep-3.qasm": QASM_3 + "qubit q;\nrz(" + "(" * 5000 + "1" + ")" * 5000 + ") q;\n",
        "tower.qasm": QASM_3 + "qubit q;\nrz(9**9**9**9) q;\n",
        "nan.qasm": QASM_2 + "qreg q[1];\ncreg c[1];\nrz(ln(0)) q;\nmeasure q -> c;\n",
        "power.qasm": QASM_3 + "qubit q;\npow(1000000000) @ h q;\n",
        "include.qasm": 'OPENQASM 3.0;\ninclude "/etc/passwd";\n',
        "version.qasm": "OPENQASM 9" + "9" * 5000 + ".0;\nqubit q;\n",
        "magic.qpy": b"QISKIT" + b"\xff" * 200,
        "short.qpy": b"QISKIT\x0d\x02\x06\x00" + b"\x00" * 8 + b"\x01" * 5,
    }  # fmt: skip
    for place, value in enumerate(STRANGE_VALUES):
        for key in ("players", "hand", "deck", "party", "known", "points", "game", "rules"):
            lines = [line for line in TOY.splitlines() if not line.startswith(key)]
            found[f"{key}-{place}.toml"] = "\n".join([*lines, f"{key} = {value}", ""])
        for key in ("suite", "programs", "backends", "shots", "repeat", "seed", "max_cost", "case",
                    "targets", "encoding"):  # fmt: skip
            lines = [line for line in SUITE.splitlines() if not line.startswith(key)]
            found[f"suite-{key}-{place}.toml"] = "\n".join([*lines, f"{key} = {value}", ""])
    return found


def _text(content: str | bytes, name: str) -> Make:
    raw = content if isinstance(content, bytes) else content.encode()
    return lambda folder: _write(folder / name, raw)


def _write(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)


def _odd_files() -> list[Hostile]:
    """Return things with a suffix that are no files, or no databases."""
    found = []
    for suffix in (".toml", ".qasm", ".qpy", ".html", ".png", ".sqlite", ".json"):
        for name, make in (
            ("folder", Path.mkdir),
            ("fifo", os.mkfifo),
            ("zero", lambda path: path.symlink_to("/dev/zero")),
            ("loop", lambda path: path.symlink_to(path.name)),
            ("dangling", lambda path: path.symlink_to("nowhere/at-all")),
            ("text", lambda path: path.write_text("hello\n" * 1000)),
            ("nothing", Path.touch),
            ("newer", _newer_records),
            ("half", lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)),
        ):
            path = name + suffix
            found.append(Hostile(path, lambda folder, make=make, path=path: make(folder / path)))
    return found


def _newer_records(path: Path) -> None:
    import sqlite3

    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999_from_tomorrow')")
    connection.close()


def files() -> list[Hostile]:
    """Return names of files that are not what they seem."""
    made = [Hostile(name, _text(content, name)) for name, content in texts().items()]
    return [*made, *_odd_files(), *(Hostile(name) for name in NAMES)]


@cache
def values(kind: type) -> list[Hostile]:
    """Return what is given to a parameter of a type."""
    plain = (*NUMBERS, *MONEY) if kind in (int, float) else ()
    if kind in (int, float) or issubclass(kind, Enum):
        return [Hostile(text) for text in dict.fromkeys((*plain, *WORDS))]
    words = dict.fromkeys((*NUMBERS, *MONEY, *TIMES, *ADDRESSES, *WORDS))
    return [*(Hostile(text) for text in words), *files()]
