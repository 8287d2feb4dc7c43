"""Methods of synthesis: registry, entry points, and qutrits."""

import io
import subprocess
import sys
import tomllib
from fractions import Fraction
from math import cos, pi, sin
from pathlib import Path

import pytest
from qiskit import QuantumCircuit, qpy
from qiskit.circuit import Gate, Parameter

import games
from compiler.compilation import Options
from compiler.compilation.plan import plan
from compiler.errors import DuplicateNameError, InputError, UnknownNameError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.program import Program
from compiler.synthesis.method import (
    GROUP,
    CountedMethod,
    Operator,
    SynthesisMethod,
    chosen_method,
    example,
    example_of,
    methods,
    operator,
    operators,
    predictions,
    synthesis_method,
    synthesised,
)
from compiler.synthesis.registers import Register
from compiler.verification.operators import verify_methods, verify_operator, verify_specification
from games.operators import all_operators
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.uniform_deal import UniformDeal
from tools.entry_points import entry_points, with_entry_points


def through_qpy(circuit):
    file = io.BytesIO()
    qpy.dump(circuit, file)
    file.seek(0)
    return qpy.load(file)[0]


def alone(gate):
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, circuit.qubits)
    return circuit


@pytest.fixture
def turn():
    """A rotation by any part of a circle, in one file's worth of declarations."""

    @operator("turn")
    class Turn(Operator):
        registers = (Register("target", 1),)
        examples = (example("a third", Fraction(1, 3)),)

        def __init__(self, part):
            super().__init__(1, [part])

        def amplitudes(self, basis_state):
            angle = 2 * pi * float(self.params[0])
            own, other = cos(angle / 2), sin(angle / 2) * (-1) ** basis_state
            return {basis_state: own, 1 - basis_state: other}

    @synthesis_method("turn.ry")
    class Plain(CountedMethod):
        built = 0

        def build(self, part):
            Plain.built += 1
            Plain.asked = part
            circuit = QuantumCircuit(1)
            circuit.ry(2 * pi * float(part), 0)
            return circuit

    @synthesis_method("turn.detour")
    class Detour(SynthesisMethod):
        def two_qubit_gates(self, part):
            return 2

        def ancillas(self, part):
            return 1

        def build(self, part):
            circuit = QuantumCircuit(2)
            circuit.cx(1, 0)
            circuit.ry(2 * pi * float(part), 0)
            circuit.cx(1, 0)
            return circuit

    Turn.plain = Plain
    return Turn


@pytest.mark.parametrize("part", [0.37, Fraction(1, 3), Fraction(4, 2)])
def test_a_parameter_is_any_number(turn, part):
    gate = turn(part)
    assert verify_specification(gate) == 2
    assert verify_methods(gate) == {"detour": 2, "ry": 2}
    assert turn.plain.asked == part
    assert isinstance(turn.plain.asked, int) == (part == int(part))


@pytest.mark.parametrize("part", [0.37, Fraction(1, 3), 3])
def test_a_file_keeps_what_it_takes_to_choose_and_to_build(turn, part):
    gate = through_qpy(alone(turn(part))).data[0].operation
    assert type(gate) is Gate
    assert predictions(gate) == predictions(turn(part)) == {"detour": 2, "ry": 0}
    assert verify_operator(turn(part), synthesised(gate)) == 2


def test_a_parameter_gets_its_value_later(turn):
    angle = Parameter("part")
    free = alone(turn(angle))
    with pytest.raises(InputError, match="operator 'turn': the parameter part is free: assign"):
        lower_operators(free, "cheapest")
    with pytest.raises(InputError, match="operator 'turn': the parameter part is free: assign"):
        plan(Program.of_circuit(free), "all", Options("fast"))
    bound = free.assign_parameters({angle: 0.37}).data[0].operation
    assert verify_operator(turn(0.37), synthesised(bound)) == 2
    with pytest.raises(VerificationError, match=r"turn\(0.38,\): input 0x00 gives ampl"):
        verify_operator(turn(0.38), synthesised(bound))


def test_the_cheapest_method_is_built_once(turn):
    circuit = QuantumCircuit(2)
    for part in (0.37, 0.5, 0.37, 0.37):
        circuit.append(turn(part), [0, 1])
    turn.plain.built = 0
    for seed in range(3):
        assert lower_operators(circuit, "cheapest", seed).count_ops() == {"ry": 4}
    assert turn.plain.built == 2


def test_a_preferred_method_is_taken_where_it_applies(turn):
    assert chosen_method(turn(0.37), "detour").name == "turn.detour"
    assert chosen_method(turn(0.37), "literal").name == "turn.ry"
    assert chosen_method(HandPlay(9, 2), "amplified").name == "hand_play.amplified"


def test_an_operator_that_nothing_builds_is_refused():
    @operator("riddle")
    class Riddle(Operator):
        registers = (Register("one", 1),)

        def __init__(self):
            super().__init__(1, [2, 0.5])

        def amplitudes(self, basis_state):
            return {basis_state: 1}

    with pytest.raises(InputError, match=r"no synthesis method builds riddle\(2, 0.5\)"):
        lower_operators(alone(Riddle()), "cheapest")


@pytest.mark.parametrize("name", ["turn", "turn.default", ".ry", "turn.", "turn.a b", "a.b.c"])
def test_names_of_no_method_are_refused(name):
    with pytest.raises(ValueError, match=r"names no method: write operator\.method"):
        synthesis_method(name)


def test_a_name_is_given_once(turn):
    with pytest.raises(DuplicateNameError, match=r"synthesis method 'turn\.ry' is regist"):
        synthesis_method("turn.ry")
    with pytest.raises(DuplicateNameError, match="operator 'hand_play' is registered twice"):
        operator("hand_play")


def test_an_operator_specifies_what_it_does():
    with pytest.raises(TypeError, match="'empty' specifies neither amplitudes nor an action"):

        @operator("empty")
        class Empty(Operator):
            pass

    with pytest.raises(TypeError, match="'loose' specifies amplitudes, so that phases are exact"):

        @operator("loose")
        class Loose(Operator):
            exact_phases = False

            def amplitudes(self, basis_state):
                return {basis_state: 1}

    class Nameless(Operator):
        pass

    with pytest.raises(TypeError, match="Nameless has no name: decorate it with @operator"):
        Nameless(1, [])


def test_a_specification_that_no_unitary_meets_is_refused():
    class Wrong(Operator):
        registers = (Register("one", 1),)

        def __init__(self, outputs):
            self.outputs = outputs
            super().__init__(1, [])

        def amplitudes(self, basis_state):
            return self.outputs[basis_state]

    operator("wrong")(Wrong)
    root = 0.5**0.5
    with pytest.raises(VerificationError, match="input 0x01 has outputs of another norm"):
        verify_specification(Wrong([{0: 1}, {1: 0.9}]))
    with pytest.raises(VerificationError, match="input 0x00 and input 0x1 have outputs that over"):
        verify_specification(Wrong([{0: root, 1: 1j * root}, {0: root, 1: 1j * root}]))
    assert verify_specification(Wrong([{0: root, 1: 1j * root}, {0: root, 1: -1j * root}])) == 2


def test_examples_are_found_by_their_label():
    deal = example_of("deal D(4,2)")
    assert isinstance(deal, UniformDeal)
    assert deal.hands == (2, 2)
    with pytest.raises(UnknownNameError, match="no operator has the example 'deal D\\(4,1\\)'"):
        example_of("deal D(4,1)")


FRESH = """
import io, sys
from qiskit import qpy, transpile
circuit = qpy.load(io.BytesIO(bytes.fromhex(sys.argv[1])))[0]
assert not any(name.startswith("games") for name in sys.modules)
print(dict(transpile(circuit, basis_gates=["cx", "u"], optimization_level=0).count_ops()))
"""


def test_qiskit_lowers_operators_for_those_who_import_nothing_of_ours():
    file = io.BytesIO()
    qpy.dump(alone(HandPlay(4, 2)), file)
    done = subprocess.run(
        [sys.executable, "-c", FRESH, file.getvalue().hex()],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    cheapest = min(predictions(HandPlay(4, 2)).values())
    assert f"'cx': {cheapest}" in done.stdout


TEXT = (Path(games.__file__).parents[1] / "pyproject.toml").read_text()


def test_pyproject_holds_what_is_registered():
    """`python tools/entry_points.py` writes them."""
    all_operators()
    held = tomllib.loads(TEXT)["project"]["entry-points"][GROUP]
    assert held == dict(entry_points())
    assert set(held) == set(methods) | {f"{name}.default" for name in operators}


def test_the_table_is_written_anew(turn):
    written = with_entry_points(TEXT)
    held = tomllib.loads(written)["project"]["entry-points"][GROUP]
    here = "compiler.plugins.synthesis:at.tests.compiler.synthesis.test_methods"
    assert (held["turn.ry"], held["turn.default"]) == (f"{here}.Plain", f"{here}.Turn")
    assert held["hand_play.move"].endswith("hand_play.OneCardHandPlay")
    assert written.startswith(TEXT.partition(f'"{GROUP}"]\n')[0])
    assert written.endswith(TEXT[TEXT.index("# In the locks") :])


def test_a_file_without_the_table_is_refused():
    with pytest.raises(ValueError, match=r"write \[project\.entry-points"):
        with_entry_points("[project]\n")
