"""The resonator's target: which gates are where."""

import numpy as np
import pytest
from qiskit.circuit.library import SwapGate
from qiskit.quantum_info import Operator

from compiler.errors import TargetError
from compiler.lowering.hub.scheduling import is_star
from compiler.targets import target_from_spec
from compiler.targets.resonator import MoveGate, has_resonator


def test_gates():
    target = target_from_spec("resonator:3")
    assert target.num_qubits == 4
    assert set(target.operation_names) == {"r", "cz", "move", "measure"}
    for name in ("r", "measure"):
        assert sorted(target[name]) == [(0,), (1,), (2,)]
    for name in ("cz", "move"):
        assert sorted(target[name]) == [(0, 3), (1, 3), (2, 3)]


def test_move_is_defined_as_a_swap():
    np.testing.assert_array_equal(Operator(MoveGate().definition).data, SwapGate().to_matrix())


def test_only_resonators_have_one_and_they_are_no_stars():
    assert has_resonator(target_from_spec("resonator:3"))
    assert not is_star(target_from_spec("resonator:3"))
    assert not has_resonator(target_from_spec("star:4:iqm"))


def test_gate_sets_are_refused():
    with pytest.raises(TargetError, match="'resonator:4' has its own native gates"):
        target_from_spec("resonator:4:cx")
