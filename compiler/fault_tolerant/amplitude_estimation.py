"""Amplitude estimation: runs of a program, forwards and backwards, and their resources.

The program A prepares a state in which a flag is 1 with probability p = sin²θ. The iterate
Q = A (2|0…0⟩⟨0…0| − 1) A† Z_flag has the eigenvalues exp(±2iθ). One coherent run of phase
estimation over N iterates finds 2θ within 2c/N with probability λ(c), if the control register
starts in the state that makes λ largest, the first discrete prolate spheroidal sequence; so
p = sin²θ is found within 2c·√(p(1−p))/N. No single run does better.

References:
    Brassard, Høyer, Mosca and Tapp, arXiv:quant-ph/0005055, theorem 12, for the iterate.
    Slepian, "Prolate spheroidal wave functions V", Bell System Technical Journal 57 (1978);
    Patel, Tan, Subaşı and Sornborger, arXiv:2403.18927, for the control register's state.
"""

from functools import cache
from math import ceil, log2, pi, sqrt

from attrs import frozen

from compiler.errors import InputError
from compiler.fault_tolerant.resources import T_PER_TOFFOLI, LogicalResources

ROTATIONS_SHARE = 0.1
"""Share of the error for rotations that are only approximated."""

WINDOW = 256
"""Length of the sequence by which the limit of long ones is found, right to 1e-4."""


@frozen
class Estimation:
    """Logical resources of estimating a probability.

    Args:
        error: how far the estimate may be off.
        iterates: N, of Q.
        calls: of A and its inverse, 2N + 1.
        qubits: of A, of its phase gradient, of the control register, and one for reflections.
        rotation_error: by which the rotations of one A may be off together.
        t_per_call: T gates of one A.
        toffolis_per_reflection: of the reflection about |0…0⟩, under a control.
        t_gates: of all, four for each Toffoli gate.
        toffolis: of all.
        measurements: of all, those that clear ANDs.
        depth: chain of T gates and Toffoli gates of A, with approximated rotations, and of
            reflections, one after the other.
    """

    error: float
    iterates: int
    calls: int
    qubits: int
    rotation_error: float
    t_per_call: int
    toffolis_per_reflection: int
    t_gates: int
    toffolis: int
    measurements: int
    depth: int


@cache
def time_bandwidth(confidence: float) -> float:
    """Return c with λ(c) = `confidence`: the largest share of a long sequence within ±c/π bins.

    It is 2.56 for 95 %.

    Args:
        confidence: more than 0.5 and less than 1.
    """
    # Both take half as long to import as all of Qiskit, and every command comes by here.
    from scipy.optimize import brentq
    from scipy.signal.windows import dpss

    def missing(c: float) -> float:
        _, ratio = dpss(WINDOW, c / pi, 1, return_ratios=True)
        return float(ratio[0]) - confidence

    return float(brentq(missing, 0.8, 20, xtol=1e-6))


def iterates(error: float, probability: float, confidence: float) -> float:
    """Return N, how many iterates find a probability within `error`, not rounded."""
    spread = sqrt(probability * (1 - probability))
    return 2 * time_bandwidth(confidence) * spread / error


def estimation(
    program: LogicalResources, error: float, probability: float, confidence: float
) -> Estimation:
    """Return the resources of estimating the probability of a flag.

    Rotations are one fixed approximation, the same in A and A†, so that Q stays the iterate of a
    slightly different program: by the difference of the two, p is off by at most twice that, no
    matter how often it is called. They get a tenth of the error.

    A reflection about |0…0⟩ on n qubits, under a control, is a Z with n controls: 2n − 3 Toffoli
    gates and one clean qubit (Khattar and Gidney, arXiv:2407.17966). Z of the flag is a Clifford
    gate. The control register's own state and Fourier transform act once, and are left out.

    Args:
        program: of A.
        error: how far the estimate may be off, more than 0 and less than 1/2.
        probability: p, about which N is computed.
        confidence: with which the estimate is that near.

    Raises:
        InputError: if one of them is out of range.
    """
    if not 0 < error < 0.5:
        raise InputError(f"error {error:g}: must lie between 0 and 0.5")
    if not 0 < probability < 1:
        raise InputError(f"probability {probability:g}: must lie between 0 and 1")
    if not 0.5 < confidence < 1:
        raise InputError(f"confidence {confidence:g}: must lie between 0.5 and 1")
    needed = ceil(iterates(error * (1 - ROTATIONS_SHARE), probability, confidence))
    calls = 2 * needed + 1
    rotation_error = error * ROTATIONS_SHARE / 2
    t_per_call = program.t_count(rotation_error)
    qubits = program.all_qubits(rotation_error)
    reflection = max(1, 2 * program.qubits - 3)
    return Estimation(
        error=error,
        iterates=needed,
        calls=calls,
        qubits=qubits + ceil(log2(needed + 1)) + 1,
        rotation_error=rotation_error,
        t_per_call=t_per_call,
        toffolis_per_reflection=reflection,
        t_gates=calls * t_per_call + needed * T_PER_TOFFOLI * reflection,
        toffolis=calls * program.all_toffolis(rotation_error) + needed * reflection,
        measurements=calls * program.all_measurements(rotation_error),
        depth=calls * program.depth + needed * reflection,
    )
