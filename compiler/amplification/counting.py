"""Quantum counting: the phase of a program's Grover iterate, measured by phase estimation."""

from collections.abc import Mapping
from math import asin, log, pi, sin, sqrt

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.synthesis import synth_qft_full

from compiler.amplification.iterate import Amplification
from compiler.circuits.matrices import Reals
from compiler.circuits.tolerances import ROUNDING
from compiler.errors import InputError
from compiler.judge import DistributionJudge
from compiler.program import Program
from compiler.scores.intervals import angle_interval

MAX_BITS = 8
"""Bits of a phase; each more takes twice as many iterates."""

POINTS = 1001
"""Angles whose likelihood is computed."""

OF_CIRCUIT = "counting"
"""Stands in the place of an encoding's name."""


def counting_program(amplification: Amplification, bits: int) -> Program:
    """Return a program that measures the phase of the iterate Q to a number of bits.

    Q turns by ±2θ, where sin²θ is the event's probability: 2^j iterates are controlled by phase
    qubit j, of each only its two signs. Measured is m, which stands for sin²(πm/2^t).

    Args:
        amplification: whose iterate it is.
        bits: t, from 1 to `MAX_BITS`; 2^t − 1 iterates.

    Raises:
        InputError: if there are too many or too few bits, or too many gates.
    """
    if not 1 <= bits <= MAX_BITS:
        raise InputError(f"{bits} bits cannot be counted with: take 1 to {MAX_BITS}")
    amplification.require_few((1 << bits) - 1)
    source, event = amplification.preparation, amplification.event
    qubits = source.gates.num_qubits
    phase, measured = QuantumRegister(bits, "phase"), ClassicalRegister(bits, "phase")
    circuit = QuantumCircuit(*source.gates.qregs, phase, measured, name=event.program.name)
    circuit.compose(source.start, range(qubits), inplace=True)
    circuit.h(phase)
    for place in range(bits):
        for _ in range(1 << place):
            amplification.append_iterate(circuit, qubits + place)
    circuit.compose(synth_qft_full(bits, inverse=True), phase, inplace=True)
    circuit.measure(phase, measured)
    exact = counting_distribution(event.probability, bits)
    return Program(circuit, DistributionJudge(event.program.name, bits, exact), OF_CIRCUIT)


def counting_distribution(probability: float, bits: int) -> Mapping[int, float]:
    """Return the probability of each measured m: (F(m/2^t − θ/π) + F(m/2^t + θ/π))/2.

    F(x) = sin²(2^t πx)/(4^t sin²(πx)), and 1 at whole numbers. This is the phase estimation of
    both eigenvalues e^{±2iθ}, whose eigenvectors have half the weight each.

    References:
        Brassard, Høyer, Mosca, Tapp, arXiv quant-ph/0005055, theorem 11.
    """
    size, share = 1 << bits, asin(sqrt(probability)) / pi
    return {
        m: (_peak(m / size - share, size) + _peak(m / size + share, size)) / 2 for m in range(size)
    }


def counted(counts: Mapping[int, int], bits: int, confidence: float) -> tuple[float, float, float]:
    """Return the likeliest probability, and its interval.

    Args:
        counts: shots by measured m.
        bits: t.
        confidence: of the interval.
    """
    coarse = np.linspace(0, pi / 2, POINTS)
    best = coarse[_log_likelihood(coarse, counts, bits).argmax()]
    shots = sum(counts.values())
    reach = max(2 * coarse[1], 8 * pi / (sqrt(shots) * (1 << bits)))
    near = np.linspace(max(0, best - reach), min(pi / 2, best + reach), POINTS)
    likelihood = _log_likelihood(near, counts, bits)
    ends = angle_interval(near, likelihood, confidence)
    value, low, high = (sin(a) ** 2 for a in (near[likelihood.argmax()], *ends))
    return value, low, high


def _log_likelihood(angles: Reals, counts: Mapping[int, int], bits: int) -> Reals:
    distributions = [counting_distribution(sin(angle) ** 2, bits) for angle in angles]
    return np.array(
        [sum(n * log(max(p[m], 1e-300)) for m, n in counts.items()) for p in distributions]
    )


def _peak(offset: float, size: int) -> float:
    below = sin(pi * offset)
    if abs(below) < ROUNDING:
        return 1.0
    return (sin(size * pi * offset) / (size * below)) ** 2
