"""The depth at which a device's noise removes the advantage, and the gain by readout mitigation.

The toy's win is amplified, compiled for a device and run with its noise, for each number of
iterates once with many shots. Estimators then draw their rounds from these outcomes, many times
over, as they are and with readout errors undone, and their errors stand beside those of sampling,
with and without noise.
"""

from collections.abc import Callable, Mapping, Sequence
from math import asin, sin, sqrt

import numpy as np
from attrs import evolve, frozen
from qiskit import QuantumCircuit

from backends import CircuitJob, LocalBackend, backend_from_spec
from compiler.amplification.event import Event
from compiler.amplification.iterate import Amplification
from compiler.compilation import Options, compile
from compiler.dynamic.deferred import deferred
from compiler.estimation import Bayesian, Oracle, ideal_oracle
from compiler.scores.mitigation import mitigate
from compiler.targets.readout import readout_errors
from compiler.verification.program import measured_distribution
from compiler.verification.simulation.exact import exact_state
from service.pages.colours import GREEN, PURPLE, VERMILION

EXACT = 5 / 12
ERRORS = (0.05, 0.03, 0.02, 0.01, 0.005, 0.0025)
RUNS = 40
COLOURS = {"boston": VERMILION, "marrakesh": PURPLE}


def wanted(iterates: int) -> float:
    """Return P(win) after some iterates without noise."""
    return sin((2 * iterates + 1) * asin(sqrt(EXACT))) ** 2


@frozen
class Device:
    """A device, and its results for the amplified toy.

    Args:
        name: such as `boston`.
        event: that is estimated.
        outcomes: shots by measured bits, by iterates.
        natives: the circuits that were run, by iterates.
        gates: on two qubits, by iterates.
        mitigated: whether readout errors are undone.
    """

    name: str
    event: Event
    outcomes: Mapping[int, Mapping[int, int]]
    natives: Mapping[int, QuantumCircuit]
    gates: Mapping[int, int]
    mitigated: bool = False

    @property
    def label(self) -> str:
        """Name of its lines."""
        return f"{self.name}, readout undone" if self.mitigated else self.name

    @property
    def shares(self) -> dict[int, float]:
        """The event's share of all shots, by iterates."""
        return {j: self.share(j, counts) for j, counts in self.outcomes.items()}

    def share(self, iterates: int, counts: Mapping[int, int]) -> float:
        """Return the event's share of some shots of a circuit; illegal ones count as lost."""
        weights: Mapping[int, float] = counts
        if self.mitigated:
            errors = readout_errors(f"heavy-hex:{self.name}")
            weights = mitigate(counts, self.natives[iterates], errors)
        happened = sum(n for measured, n in weights.items() if self.event.happens(measured))
        return happened / sum(weights.values())

    def fidelities(self, background: float) -> tuple[float, float]:
        """Return s and λ that fit the shares best by least squares; see `Bayesian`."""
        grid = [(s, decay) for s in np.linspace(0.5, 1, 101) for decay in np.linspace(0.3, 1, 141)]
        shares = self.shares

        def off(pair: tuple[float, float]) -> float:
            s, decay = pair
            return sum(
                (share - background - s * decay**j * (wanted(j) - background)) ** 2
                for j, share in shares.items()
            )

        s, decay = min(grid, key=off)
        return float(s), float(decay)

    def oracle(self, seed: int) -> Oracle:
        """Return an oracle that draws from the outcomes."""
        random = np.random.default_rng(seed)

        def ask(iterates: int, shots: int) -> int:
            outcomes = self.outcomes[iterates]
            odds = np.array(list(outcomes.values())) / sum(outcomes.values())
            drawn = zip(outcomes, random.multinomial(shots, odds), strict=True)
            return round(shots * self.share(iterates, {bits: int(n) for bits, n in drawn if n}))

        return ask


def measured(oracle: Amplification, device: str, shots: int, deepest: int) -> Device:
    """Return a device's results for each number of iterates, up to the deepest."""
    target, machine = f"heavy-hex:{device}", backend_from_spec(f"aer:{device}")
    assert isinstance(machine, LocalBackend), "simulators run at once"
    outcomes, natives, gates = {}, {}, {}
    for j in range(deepest + 1):
        compiled = compile(oracle.program(j), target, Options("best", seeds=1))
        natives[j], gates[j] = compiled.circuit, compiled.figures.two_qubit_gates
        outcomes[j] = machine.run(CircuitJob(natives[j], target, shots, seed=j))
        print(f"{device}, {j} iterates: {gates[j]} two-qubit gates, {compiled.verified}")
    return Device(device, oracle.event, outcomes, natives, gates)


def exact_probabilities(oracle: Amplification, deepest: int) -> list[float]:
    """Return P(win) by iterates, up to the deepest, from the program's exact state."""
    chances = []
    for iterates in range(deepest + 1):
        source = deferred(oracle.program(iterates).circuit)
        measured = measured_distribution(source, exact_state(source.circuit))
        chances.append(sum(p for bits, p in measured.items() if oracle.event.happens(bits)))
        print(f"exact, {iterates}: {chances[-1]:.12f} for {wanted(iterates):.12f}")
    return chances


def told(devices: Sequence[Device], background: float) -> list[Device]:
    """Print the results of devices, and return each raw and with readout errors undone."""
    both = [each for raw in devices for each in (raw, evolve(raw, mitigated=True))]
    for device in both:
        s, decay = device.fidelities(background)
        print(f"{device.label}: s = {s:.3f}, λ = {decay:.3f}")
        for j, share in device.shares.items():
            print(f"{device.label}, {j}: {device.gates[j]} gates, {share:.4f} for {wanted(j):.4f}")
    return both


@frozen
class Curve:
    """An estimator's errors.

    Args:
        label: of its points.
        colour: of them.
        marker: of them.
        calls: mean number, for each requested error.
        errors: root mean square of the real errors.
    """

    label: str
    colour: str
    marker: str
    calls: Sequence[float]
    errors: Sequence[float]


def curve(
    label: str,
    colour: str,
    kinds: Sequence[Bayesian],
    oracle_of: Callable[[int], Oracle],
    marker: str = "o-",
) -> Curve:
    """Return the errors of estimators that are run many times."""
    calls, errors = [], []
    for kind in kinds:
        estimates = [kind.estimate(oracle_of(seed)) for seed in range(RUNS)]
        calls.append(float(np.mean([each.calls for each in estimates])))
        errors.append(float(np.sqrt(np.mean([(each.value - EXACT) ** 2 for each in estimates]))))
        print(f"{label}, {kind.error:g}: {calls[-1]:,.0f} calls, error {errors[-1]:.5f}")
    return Curve(label, colour, marker, calls, errors)


def curves(background: float, devices: Sequence[Device]) -> list[Curve]:
    """Return the errors of estimators without noise, and on devices."""

    def ideal(seed: int) -> Oracle:
        return ideal_oracle(EXACT, seed)

    result = [
        curve("Bayesian, no noise", GREEN, [Bayesian(error=e) for e in ERRORS], ideal),
    ]
    for device in devices:
        aware = [
            Bayesian(error=e, noisy=True, background=background, most_iterates=max(device.outcomes))
            for e in ERRORS[:4]
        ]
        label, marker = f"Bayesian, {device.label}", "s--" if device.mitigated else "o-"
        result.append(curve(label, COLOURS[device.name], aware, device.oracle, marker))
    return result


def worths(device: Device, background: float) -> list[float]:
    """Return the calls of noiseless sampling that a call replaces, (2j + 1)(s·λʲ)², by iterates."""
    s, decay = device.fidelities(background)
    return [(2 * j + 1) * (s * decay**j) ** 2 for j in device.outcomes]
