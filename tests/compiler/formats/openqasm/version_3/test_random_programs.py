"""Programs drawn by chance, against an interpreter that shares nothing with the reader.

Programs permute basis states, so one state of zeros and ones says what they do. The text of every
statement is drawn together with its effect: indices are worked out by counting, numbers by masks.
"""

import random

import pytest

from compiler.formats.circuit_files import circuit_from_qasm
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.formats.openqasm.version_3.constructs import HEAD, signed

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


STEPS = [
    "flip",
    "alias",
    "controlled",
    "measure",
    "measure",
    "reset",
    "loop",
    "branch",
    "branch",
    "switch",
]


@pytest.mark.parametrize("seed", range(60))
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
