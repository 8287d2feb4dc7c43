"""Standard benchmarks against exact values, without noise and with depolarising noise."""

from itertools import pairwise, product
from math import sqrt

import pytest
from qiskit.quantum_info import Statevector
from qiskit_aer import AerSimulator
from qiskit_aer.noise import NoiseModel, depolarizing_error

from backends.pauli.frames import clifford_counts, depolarising
from compiler.scores.standard.benchmark import Couplings, NotApplicableError, Run, benchmarks
from compiler.targets import target_from_spec

LINE = Couplings(6, tuple((a, a + 1) for a in range(5)))
SHOTS = 2000


def runs(circuits, share=0.0, shots=SHOTS):
    """Return the circuits' results with depolarising noise after every CX."""
    noise = NoiseModel()
    if share:
        noise.add_all_qubit_quantum_error(depolarizing_error(share, 2), ["cx"])
    result = AerSimulator(method="density_matrix", noise_model=noise).run(
        circuits, shots=shots, seed_simulator=7
    ).result()  # fmt: skip
    return [
        Run({int(bits, 16): n for bits, n in result.data(place)["counts"].items()}, 2.0)
        for place in range(len(circuits))
    ]


def frames(circuits, share, shots):
    """Return the results of Clifford circuits with depolarising noise after every CZ.

    The last inverses of randomised benchmarking, in CX, have none.
    """
    channel = depolarising(2, share * 3 / 4)
    return [
        Run(clifford_counts(one, lambda item, _: channel if item.name == "cz" and share else None,
                            {}, shots, seed))
        for seed, one in enumerate(circuits)
    ]  # fmt: skip


def exact(circuit):
    return Statevector(circuit.remove_final_measurements(inplace=False)).probabilities_dict()


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("mirror-circuits", {"qubits": 5, "layers": 6, "count": 3}),
        ("qft", {"qubits": 5, "count": 3}),
    ],
)
def test_circuits_return_their_bit_string(name, parameters):
    benchmark = benchmarks[name](**parameters)
    circuits = benchmark.circuits(LINE)
    assert [max(exact(one).values()) for one in circuits] == pytest.approx([1.0] * 3)
    figures = benchmark.figures(LINE, runs(circuits))
    assert figures.score.value == 1
    noise = [Run(dict.fromkeys(range(32), 10))] * 3
    assert benchmark.figures(LINE, noise).score.value == 0


def test_the_largest_cut_of_a_line_has_all_edges():
    benchmark = benchmarks["lr-qaoa"](qubits=7, layers=10, seed=5)
    weights = benchmark.weights()
    cuts = [
        sum(w for w, a, b in zip(weights, bits, bits[1:], strict=False) if a != b)
        for bits in product((0, 1), repeat=7)
    ]
    assert max(cuts) == pytest.approx(sum(weights))
    assert max(map(benchmark.cut, range(1 << 7))) == pytest.approx(max(cuts))
    assert sum(cuts) / len(cuts) == pytest.approx(max(cuts) / 2)
    (circuit,) = benchmark.circuits(LINE)
    ideal = sum(p * benchmark.cut(int(bits, 2)) for bits, p in exact(circuit).items()) / max(cuts)
    figures = benchmark.figures(LINE, runs([circuit]))
    ratio = figures.values["approx_ratio"]
    assert ratio.value == pytest.approx(ideal, abs=4 * ratio.uncertainty)
    assert ideal > 0.8
    assert figures.score.value == pytest.approx(2 * ratio.value - 1)
    assert benchmark.figures(LINE, [Run(dict.fromkeys(range(1 << 7), 1))]).score.value < 1e-9


@pytest.mark.parametrize(("share", "size"), [(0.0, 6), (0.2, 6), (0.4, 0)])
def test_chsh_values_are_those_of_the_noise(share, size):
    benchmark = benchmarks["bseq"](qubits=6)
    circuits = benchmark.circuits(LINE)
    assert len(circuits) == 8
    figures = benchmark.figures(LINE, runs(circuits, share, 10_000))
    mean = figures.values["mean_chsh"]
    assert mean.value == pytest.approx(2 * sqrt(2) * (1 - share), abs=5 * mean.uncertainty)
    assert figures.values["largest_connected_size"].value == size
    assert figures.score.value == size / 6


@pytest.mark.parametrize("share", [0.0, 0.01, pytest.param(0.04, marks=pytest.mark.full)])
def test_the_layer_fidelity_is_that_of_depolarising_gates(share):
    benchmark = benchmarks["eplg"](qubits=6, lengths=(2, 8, 20), samples=4)
    figures = benchmark.figures(LINE, frames(benchmark.circuits(LINE), share, 4000))
    fidelity = figures.values["layer_fidelity_6"]
    # α = 1 - share of each of the five pairs, whose process fidelity is 1 - share·15/16.
    right = (1 - share * 15 / 16) ** 5
    assert fidelity.value == pytest.approx(right, abs=4 * fidelity.uncertainty + 1e-12)
    assert fidelity.uncertainty < 0.02


def test_chains_follow_couplings():
    device = Couplings.of(target_from_spec("heavy-hex:boston"))
    near = device.neighbours()
    chain = device.chain(100, 1)
    assert len(set(chain)) == len(chain) == 100
    assert all(b in near[a] for a, b in pairwise(chain))
    assert Couplings(9, None).chain(5, 0) == [0, 1, 2, 3, 4]


def test_what_is_not_defined_on_a_device_is_not_applicable():
    star = Couplings.of(target_from_spec("star:17"))
    with pytest.raises(NotApplicableError):
        benchmarks["eplg"](qubits=10, lengths=(2,), samples=1).circuits(star)
    with pytest.raises(NotApplicableError):
        benchmarks["clops"](qubits=100, layers=2, count=1).circuits(LINE)
    with pytest.raises(NotApplicableError):
        Couplings.of(target_from_spec("resonator:8"))


def test_throughput_is_layers_times_shots_over_seconds():
    benchmark = benchmarks["clops"](qubits=6, layers=10, count=2)
    device = Couplings(8, LINE.pairs)
    assert all(one.num_clbits == 6 for one in benchmark.circuits(device))
    found = benchmark.figures(device, [Run({0: 100}, 2.0), Run({0: 100}, 3.0)])
    assert found.values["clops_score"].value == pytest.approx(10 * 200 / 5)
    assert found.score is None
    assert benchmark.figures(device, [Run({0: 100}), Run({0: 100}, 1.0)]).values == {}
