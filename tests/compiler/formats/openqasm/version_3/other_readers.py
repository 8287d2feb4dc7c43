"""Two independent readers of OpenQASM 3: pyqasm, and Amazon Braket's interpreter."""

import logging
import sys
import warnings
from collections.abc import Callable

import pyqasm
from braket.devices import LocalSimulator
from braket.ir.openqasm import Program
from qiskit import qasm3

from compiler.formats.plain_gates import plain
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.formats.openqasm.version_3.constructs import HEAD, Condition, Construct

logging.getLogger("pyqasm").disabled = True
logging.getLogger("braket.default_simulator.openqasm.interpreter").disabled = True

SAME, OTHER, REFUSED = "same", "other", "refuses"

BRAKET_HEAD = """OPENQASM 3.0;
gate cx a, b { ctrl @ x a, b; }
gate sx a { pow(0.5) @ x a; }
gate sdg a { inv @ s a; }
gate p(l) a { phaseshift(l) a; }
"""
"""The gates of the standard library that Braket calls otherwise, or does not have."""


def pyqasm_outcome(text: str) -> str:
    """Return the outcomes of a program that pyqasm has written out, bit 0 on the right."""
    module = pyqasm.loads(HEAD.replace("3.1", "3.0") + text)
    module.unroll()
    circuit = plain(qasm3.loads(pyqasm.dumps(module)))
    outcomes = outcome_distribution(circuit, program_state(circuit)).items()
    return "|".join(f"{bits:0{circuit.num_clbits}b}" for bits, p in outcomes if p > 1e-9)


def braket_outcome(text: str) -> str:
    """Return the outcomes of a program on Braket's simulator, bit 0 on the right."""
    result = LocalSimulator("braket_sv").run(Program(source=BRAKET_HEAD + text), shots=50).result()
    return "|".join(bits[::-1] for bits in result.measurement_counts)


def verdict(outcome: Callable[[str], str], texts: dict[str, str]) -> str:
    """Compare a reader's outcomes with those that programs should have.

    Args:
        outcome: the reader.
        texts: the right outcomes, by program.
    """
    same = True
    shown = getattr(sys, "tracebacklimit", 1000)
    for text, wanted in texts.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = outcome(text)
        except BaseException as error:  # readers raise whatever they meet
            if isinstance(error, KeyboardInterrupt):
                raise
            return REFUSED
        finally:
            # pyqasm hides the tracebacks of the whole process.
            sys.tracebacklimit = shown
        same = same and found == wanted
    return SAME if same else OTHER


def verdicts(each: Construct | Condition) -> tuple[str, str]:
    """Return what pyqasm and Braket make of a construct."""
    if isinstance(each, Construct):
        texts = {each.text: each.outcome}
        return verdict(pyqasm_outcome, texts), verdict(braket_outcome, texts)
    text, _, before = each.text.partition(";")
    measured, known = {}, {}
    for number in range(16):
        outcome = f"{each.meaning(number):b}"
        flips = "".join(f"x q[{i}];" for i in range(4) if number >> i & 1)
        branch = f"{before} if ({text}) x a; r = measure a;"
        measured[f"qubit[4] q; qubit a; bit[4] c; bit r; {flips} c = measure q; {branch}"] = (
            f"{outcome}{number:04b}"
        )
        known[f'qubit a; bit r; bit[4] c = "{number:04b}"; {branch}'] = outcome
    return verdict(pyqasm_outcome, measured), verdict(braket_outcome, known)
