"""Comparison of the program that a provider ran with the circuit that was sent."""

from collections import defaultdict
from enum import StrEnum

from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, Delay

from compiler.circuits.tolerances import SAME_STATE
from compiler.dynamic.pieces import final_part, of_items
from compiler.errors import StateTooLargeError
from compiler.native_digest import program_digest
from compiler.verification.program import outcome_distribution, program_state

MAX_AMPLITUDES = 1 << 14
"""Amplitudes of a state up to which two programs are compared by their outcomes."""

MAX_OPERATIONS = 100_000
"""Operations up to which they are: some seconds."""

SYMMETRIC = frozenset({"cp", "cz", "iswap", "rxx", "ryy", "rzz", "swap"})
"""Gates that do not change if their qubits change places."""


class Executed(StrEnum):
    """How the program that a provider ran compares with the one that was sent."""

    IDENTICAL = "identical"
    RENAMED = "identical up to names"
    EQUIVALENT = "proven equivalent"
    DIFFERENT = "different"
    UNVERIFIED = "unverified"


def compare_programs(sent: QuantumCircuit, ran: QuantumCircuit) -> tuple[Executed, str]:
    """Compare two programs by what their classical bits hold in the end.

    Barriers and delays are left out: a program that lost gates by the loss of a barrier differs in
    its gates. Parameters count to nine digits.

    Args:
        sent: circuit on the device's qubits.
        ran: circuit that the provider ran, whose classical bits are those of `sent`.

    Returns:
        The verdict, and a reason in one line. `RENAMED` means the same gates on other qubits;
        `EQUIVALENT` the same distribution of outcomes from |0…0⟩, computed exactly.
    """
    sent, ran = _bare(sent), _bare(ran)
    if program_digest(sent) == program_digest(ran):
        return Executed.IDENTICAL, "the same operations on the same qubits"
    renamed = _renamed(sent, ran)
    if renamed is not None and program_digest(renamed) == program_digest(sent):
        return Executed.RENAMED, "the same operations on other qubits"
    if len(sent.data) + len(ran.data) > MAX_OPERATIONS:
        return Executed.UNVERIFIED, f"more than {MAX_OPERATIONS:,} operations"
    try:
        wanted, actual = (
            outcome_distribution(circuit, program_state(circuit, MAX_AMPLITUDES))
            for circuit in (sent, ran)
        )
    except StateTooLargeError as error:
        return Executed.UNVERIFIED, f"too large to compare: {error}"
    off = max(
        (abs(wanted.get(bits, 0.0) - actual.get(bits, 0.0)) for bits in {*wanted, *actual}),
        default=0.0,
    )
    if off <= SAME_STATE:
        return Executed.EQUIVALENT, f"{len(wanted):,} outcomes, equal within {off:.1g}"
    return Executed.DIFFERENT, f"the probability of an outcome differs by {off:.3g}"


def _bare(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without barriers and delays, its symmetric gates with sorted qubits."""
    operations = (
        item.replace(qubits=sorted(item.qubits, key=lambda qubit: circuit.find_bit(qubit).index))
        if item.name in SYMMETRIC
        else item
        for item in circuit.data
        if not isinstance(item.operation, Barrier | Delay)
    )
    return of_items(operations, circuit)


def _renamed(sent: QuantumCircuit, ran: QuantumCircuit) -> QuantumCircuit | None:
    """Return `ran` on the qubits of `sent` that its own stand for; None if these are not clear.

    The search begins with the qubits that the same bits are read from. It follows gates on two
    qubits: the n-th operation of a qubit acts on the same partner in both circuits.
    """
    wanted, actual = final_part(sent)[1], final_part(ran)[1]
    if set(wanted) != set(actual):
        return None
    places = {actual[bit]: qubit for bit, qubit in wanted.items()}
    partners, own_partners = _partners(ran), _partners(sent)
    waiting = list(places)
    while waiting:
        qubit = waiting.pop()
        pairs = zip(partners[qubit], own_partners[places[qubit]], strict=False)
        for theirs, here in pairs:
            if theirs is not None and here is not None and theirs not in places:
                places[theirs] = here
                waiting.append(theirs)
    acted = {ran.find_bit(qubit).index for item in ran.data for qubit in item.qubits}
    if not acted <= set(places) or len(set(places.values())) != len(places):
        return None
    renamed = sent.copy_empty_like()
    for item in ran.data:
        qubits = [sent.qubits[places[ran.find_bit(qubit).index]] for qubit in item.qubits]
        clbits = [sent.clbits[ran.find_bit(clbit).index] for clbit in item.clbits]
        renamed.append(item.operation, qubits, clbits)
    return _bare(renamed)


def _partners(circuit: QuantumCircuit) -> defaultdict[int, list[int | None]]:
    """Return of each qubit the other qubit of each of its operations; None if it is alone."""
    partners: defaultdict[int, list[int | None]] = defaultdict(list)
    for item in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        for qubit in qubits:
            partners[qubit].append(next((other for other in qubits if other != qubit), None))
    return partners
