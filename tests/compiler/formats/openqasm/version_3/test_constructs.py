"""Constructs of OpenQASM 3 and random programs, against independent readers."""

import random

import pytest

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm
from compiler.formats.openqasm.version_3 import read_openqasm_3
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.formats.openqasm.version_3.constructs import (
    CONDITIONS,
    HEAD,
    PROGRAMS,
    REFUSED,
    signed,
)
from tools.openqasm_constructs import DOCS, MARK, tables

ASKED = (
    "qubit[4] q; qubit a; bit[4] c; bit r; h q; c = measure q; "
    "{before} if ({condition}) x a; r = measure a;"
)


def distribution(text):
    circuit = circuit_from_qasm(HEAD + text, "c.qasm")
    found = outcome_distribution(circuit, program_state(circuit))
    return {f"{bits:0{circuit.num_clbits}b}": p for bits, p in found.items() if p > 1e-9}


@pytest.mark.parametrize("construct", PROGRAMS, ids=lambda each: each.name)
def test_a_program_has_the_outcome_of_the_specification(construct):
    assert distribution(construct.text) == {construct.outcome: pytest.approx(1)}


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda each: each.name)
def test_a_condition_holds_for_the_values_of_the_specification(condition):
    text, _, before = condition.text.partition(";")
    wanted = {f"{condition.meaning(c):b}{c:04b}": pytest.approx(1 / 16) for c in range(16)}
    assert distribution(ASKED.format(before=before, condition=text)) == wanted
    negated = {f"{not condition.meaning(c):b}{c:04b}": pytest.approx(1 / 16) for c in range(16)}
    assert distribution(ASKED.format(before=before, condition=f"!({text})")) == negated


@pytest.mark.parametrize("refusal", REFUSED, ids=lambda each: each.name)
def test_an_invalid_program_is_refused_in_one_line(refusal):
    with pytest.raises(CircuitFileError) as error:
        circuit_from_qasm(HEAD + refusal.text, "c.qasm")
    assert refusal.word in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("qubit[2] q; ctrl @ U(pi, 0, pi) q[0], q[1];", "controlled U"),
        ("qubit[2] q; negctrl @ u3(0, 1, 2) q[0], q[1];", "controlled U"),
        ("gate g a { U(pi, 0, pi) a; } qubit[2] q; ctrl @ inv @ g q[0], q[1];", "controlled U"),
        ("qubit q; rx(3 / 2) q;", "3 / 2 of whole numbers is 1"),
    ],
)
def test_where_others_read_something_else_a_warning_says_so_once(text, word):
    told = []
    read_openqasm_3(HEAD + text, told.append)
    (warning,) = told
    assert warning.startswith("line 3: ")
    assert word in warning


@pytest.mark.parametrize(
    "text",
    [
        "qubit[2] q; ctrl @ x q[0], q[1]; ctrl @ rx(1.5) q[0], q[1]; cu(1, 2, 3, 4) q[0], q[1];",
        "gate flip a { U(0, 0, pi) a; } qubit[2] q; ctrl @ flip q[0], q[1]; U(pi, 0, pi) q[0];",
        "qubit q; rx(4 / 2) q; rx(3 / 2.0) q;",
    ],
)
def test_where_others_read_the_same_nothing_is_said(text):
    told = []
    read_openqasm_3(HEAD + text, told.append)
    assert told == []


@pytest.mark.full
def test_the_tables_are_those_of_the_tests():
    pages = tables()
    written = {name: (DOCS / name).read_text().partition(MARK)[2] for name in pages}
    assert written == pages


WIDE_BITS = 20
NUMBERS = [0, 1, 5, 1 << 19, (1 << 20) - 1, 0b1010_1100_0011_0101_1110]
WIDE_CONDITIONS = {
    "c == 5": lambda c: c == 5,
    "5 > c": lambda c: c < 5,
    "c <= 524288": lambda c: c <= 1 << 19,
    "c > -1": lambda c: True,
    "bool(c)": lambda c: c != 0,
    "!(c == 1) && (c[0] || c > 600000)": lambda c: c != 1 and (c & 1 == 1 or c > 600000),
    "uint[64](c) == 524288": lambda c: c == 1 << 19,
    "int[20](c) < 0": lambda c: c >> 19 == 1,
    "int[30](int[20](c)) == -1": lambda c: c == (1 << 20) - 1,
    "c[1:18] < c[2:19]": lambda c: (c >> 1 & 0x3FFFF) < (c >> 2),
    "c[19:-1:0] == 524288": lambda c: c == 1,
    "i == 5": lambda c: c == 5,
}


@pytest.mark.parametrize(
    "condition",
    [
        pytest.param(c, marks=pytest.mark.full if n % 4 else ())
        for n, c in enumerate(WIDE_CONDITIONS)
    ],
)
def test_a_condition_on_a_wide_register(condition):
    meaning = WIDE_CONDITIONS[condition]
    for number in NUMBERS:
        flips = "".join(f"x q[{i}];" for i in range(WIDE_BITS) if number >> i & 1)
        text = (
            f"qubit[{WIDE_BITS}] q; qubit[{WIDE_BITS}] k; qubit a;"
            f" bit[{WIDE_BITS}] c; bit[{WIDE_BITS}] d; bit r;"
            f"{flips} x k[0]; x k[2]; c = measure q; d = measure k; uint[32] i; i = c;"
            f"if ({condition}) x a; r = measure a;"
        )
        circuit = circuit_from_qasm(HEAD + text, "c.qasm")
        ((bits, p),) = outcome_distribution(circuit, program_state(circuit)).items()
        assert p == pytest.approx(1)
        assert bits == meaning(number) << 2 * WIDE_BITS | 5 << WIDE_BITS | number, number


@pytest.mark.parametrize("condition", ["popcount(c) == 2", "c + 1 == 3", "(c ^ d) == 1"])
def test_what_cannot_be_followed_is_refused(condition):
    text = f"qubit[13] q; qubit a; bit[13] c; bit[13] d; c = measure q; if ({condition}) x a;"
    with pytest.raises(CircuitFileError, match="12 measured bits"):
        circuit_from_qasm(HEAD + text, "c.qasm")


QUBITS, BITS = 6, 4


class World:
    """Qubits and bits that are 0 or 1, and the text of what happened to them."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.qubits, self.bits = [0] * QUBITS, [0] * BITS
        self.flag = 0
        self.lines = [f"qubit[{QUBITS}] q; bit[{BITS}] c; qubit f; bit[{QUBITS}] out; bit g;"]

    def places(self, size, count=None):
        """Return an index in brackets, and the places that it names, by counting."""
        way = self.draw.choice(["one", "range", "range", "set"])
        if count == 1 or (way == "one" and count is None):
            place = self.draw.randrange(size)
            shown = place if self.draw.random() < 0.5 else place - size
            return f"[{shown}:{shown}]", [place]
        while True:
            if way == "set":
                length = count or self.draw.randint(1, size)
                places = self.draw.sample(range(size), length)
                shown = [p if self.draw.random() < 0.5 else p - size for p in places]
                return f"[{{{', '.join(map(str, shown))}}}]", places
            start, end = self.draw.randrange(size), self.draw.randrange(size)
            step = self.draw.choice([1, 1, 2, -1, -2, 3])
            places, at = [], start
            while at <= end if step > 0 else at >= end:
                places.append(at)
                at += step
            if places and count in (None, len(places)):
                a = start if self.draw.random() < 0.5 else start - size
                b = end if self.draw.random() < 0.5 else end - size
                return (f"[{a}:{b}]" if step == 1 else f"[{a}:{step}:{b}]"), places

    def flip(self):
        index, places = self.places(QUBITS)
        self.lines.append(f"x q{index};")
        for place in places:
            self.qubits[place] ^= 1

    def alias(self):
        index, places = self.places(QUBITS)
        inner, chosen = self.places(len(places))
        name = f"v{len(self.lines)}"
        self.lines.append(f"let {name} = q{index}; let w{name} = {name}{inner}; x w{name};")
        for place in chosen:
            self.qubits[places[place]] ^= 1

    def controlled(self):
        control, target = self.draw.sample(range(QUBITS), 2)
        negative = self.draw.random() < 0.5
        self.lines.append(f"{'negctrl' if negative else 'ctrl'} @ x q[{control}], q[{target}];")
        self.qubits[target] ^= self.qubits[control] ^ negative

    def measure(self):
        index, places = self.places(BITS)
        source, qubits = self.places(QUBITS, len(places))
        self.lines.append(f"c{index} = measure q{source};")
        for place, qubit in zip(places, qubits, strict=True):
            self.bits[place] = self.qubits[qubit]

    def reset(self):
        index, places = self.places(QUBITS)
        self.lines.append(f"reset q{index};")
        for place in places:
            self.qubits[place] = 0

    def loop(self):
        start, end = self.draw.randrange(QUBITS), self.draw.randrange(QUBITS)
        step = self.draw.choice([1, 2, -1])
        self.lines.append(f"for int i in [{start}:{step}:{end}] {{ x q[i]; }}")
        for place in range(QUBITS):
            self.qubits[place] ^= place in range(start, end + (1 if step > 0 else -1), step)

    def number(self):
        """Return a number of measured bits as text, its value and its range."""
        index, places = self.places(BITS)
        value = sum(self.bits[place] << i for i, place in enumerate(places))
        width = len(places)
        way = self.draw.choice(["bits", "uint", "int", "shift", "not", "sum"])
        wider = width + self.draw.randint(0, 3)
        if way == "uint":
            return f"uint[{wider}](c{index})", value
        if way == "int":
            return f"int[{width}](c{index})", signed(value, width)
        if way == "shift":
            by = self.draw.randint(0, wider)
            return f"(uint[{wider}](c{index}) << {by})", (value << by) % (1 << wider)
        if way == "not":
            return f"~uint[{wider}](c{index})", (1 << wider) - 1 - value
        if way == "sum":
            by = self.draw.randint(-5, 5)
            return f"(int[{width + 1}](c{index}) + {by})", value + by
        return f"c{index}", value

    def condition(self):
        text, value = self.number()
        other = value if self.draw.random() < 0.4 else self.draw.randint(-3, 20)
        sign, meaning = self.draw.choice(
            [
                ("==", value == other),
                ("!=", value != other),
                ("<", value < other),
                (">=", value >= other),
            ]
        )
        return f"{text} {sign} {other}", meaning

    def branch(self):
        first, a = self.condition()
        second, b = self.condition()
        join, both = self.draw.choice([("&&", a and b), ("||", a or b)])
        negated = self.draw.random() < 0.3
        text = f"({first}) {join} ({second})"
        self.lines.append(f"if ({f'!({text})' if negated else text}) {{ x f; }}")
        self.flag ^= both ^ negated

    def switch(self):
        index, places = self.places(BITS)
        width = len(places)
        value = signed(sum(self.bits[p] << i for i, p in enumerate(places)), width)
        labels = self.draw.sample(range(-(1 << width - 1), 1 << width - 1), min(2, 1 << width - 1))
        shown = ", ".join(map(str, labels))
        self.lines.append(f"switch (int[{width}](c{index})) {{ case {shown} {{ x f; }} }}")
        self.flag ^= value in labels


STEPS = (
    *("flip", "alias", "controlled", "measure", "measure"),
    *("reset", "loop", "branch", "branch", "switch"),
)


@pytest.mark.parametrize("seed", range(24))
def test_a_program_does_what_an_interpreter_says(seed):
    world = World(seed)
    for _ in range(12):
        getattr(world, world.draw.choice(STEPS))()
    text = HEAD + "\n".join([*world.lines, "out = measure q; g = measure f;"])
    circuit = circuit_from_qasm(text, "c.qasm")
    ((bits, p),) = outcome_distribution(circuit, program_state(circuit)).items()
    wanted = [*world.bits, *world.qubits, int(world.flag)]
    assert p == pytest.approx(1)
    assert [bits >> i & 1 for i in range(circuit.num_clbits)] == wanted, text
