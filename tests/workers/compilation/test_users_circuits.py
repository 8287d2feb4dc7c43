"""Users' circuits of all forms: what is exported does what the file says."""

from itertools import product

import pytest
from qiskit import qasm3
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.listener import each_here
from compiler.errors import InputError
from compiler.formats.circuit_files import read_qpy
from compiler.formats.openqasm.writing import qasm3_text
from games.sources import Source
from tests.independent import played, require_same_unitary
from tests.workers.compilation.users_circuits import CIRCUITS, UsersCircuit
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.records.tables import Candidate

# Of SciPy's, where Qiskit takes the exponential of a sum of Pauli matrices.
pytestmark = pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")

TARGETS = ("all", "star", "heavy-hex:7", "star::iqm", "resonator")
INPUTS = (None, True, False)


def targets(own: UsersCircuit) -> tuple[str, ...]:
    """Return the targets of a circuit: nothing goes on from a measurement on a resonator."""
    return TARGETS[:-1] if own.dynamic else TARGETS


EVERY = [each for name, own in CIRCUITS.items() for each in product([name], targets(own), INPUTS)]
SOME = [
    (name, targets(own)[place % len(targets(own))], INPUTS[place % len(INPUTS)])
    for place, (name, own) in enumerate(CIRCUITS.items())
]
"""Every circuit once; targets and inputs take turns."""


def compiled(
    session: Session, own: UsersCircuit, target: str, any_input: bool | None, method: str
) -> Candidate:
    order = CompileOrder(
        Source(own.name, own.content), target, Options(method, seeds=1, any_input=any_input)
    )
    done = compile_order(session, *plan_order(order), each_here, lambda _: None)
    assert done.verified == "exact"
    assert not (done.any_input and done.chosen.from_zero)
    return done.chosen


def check(
    session: Session, name: str, target: str, any_input: bool | None, method: str = "fast"
) -> None:
    own = CIRCUITS[name]
    if own.resets and any_input:
        with pytest.raises(InputError, match="begins with resets"):
            compiled(session, own, target, any_input, method)
        return
    chosen = compiled(session, own, target, any_input, method)
    native = qasm3.loads(qasm3_text(read_qpy(chosen.native, "native")))
    meant = own.meaning()
    measured = any(item.clbits for item in meant.data)
    expected = not own.resets and not measured if any_input is None else any_input
    assert chosen.compilation.any_input is expected
    if sum(register.size for register in meant.cregs) == meant.num_clbits:
        assert [(r.name, r.size) for r in native.cregs] == [(r.name, r.size) for r in meant.cregs]
    assert played(native) == pytest.approx(played(meant), abs=1e-7)
    if not own.dynamic:
        require_same_unitary(meant, native, (), chosen.final_layout)
    if expected and not own.dynamic:
        require_same_unitary(meant, native, chosen.initial_layout, chosen.final_layout)


@pytest.mark.parametrize(
    ("name", "target", "any_input"),
    [pytest.param(*each, marks=pytest.mark.full if n % 3 else ()) for n, each in enumerate(SOME)],
)
def test_what_is_exported_does_what_the_file_says(
    session: Session, name: str, target: str, any_input: bool | None
) -> None:
    check(session, name, target, any_input)


@pytest.mark.full
@pytest.mark.parametrize(("name", "target", "any_input"), EVERY)
def test_so_does_the_best_of_all_pipelines(
    session: Session, name: str, target: str, any_input: bool | None
) -> None:
    check(session, name, target, any_input, "best")
