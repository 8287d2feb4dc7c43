"""Circuits that measure on the way, as IQM's machines run them: `measure_ff` and `cc_prx`.

By Amazon's developer guide, "Explore experimental capabilities", section "Dynamic circuits on IQM
devices": `measure_ff(k)` measures a qubit under a key k that is used once; `cc_prx(θ, φ, k)`
rotates a qubit if that gave 1. All rotations of a qubit must listen to measurements of one and the
same qubit, which is in its group (`compiler.targets.iqm.GROUPS`). The result of `measure_ff` is not
returned, so it is measured again: on its qubit, if no gate follows, else on a spare qubit that it
turns.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import pi

from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, CircuitInstruction, IfElseOp, Measure, Reset, SwitchCaseOp

from backends.braket.program import Program, boxed
from backends.devices.formats.braket import first_label
from backends.errors import BackendError
from compiler.dynamic.pieces import acted_on, body_of, choice_of, final_part
from compiler.targets.iqm import GROUPS

FIRST_LABEL = first_label("iqm")

Rotation = tuple[float, float]


def feed_forward(circuit: QuantumCircuit, device: str) -> Program:
    """Return a circuit as a program for one of IQM's devices.

    Args:
        circuit: PRX (`r`), CZ, measurements, resets and branches on the device's qubits.
        device: its name, such as `garnet`.

    Raises:
        BackendError: if the device cannot run it.
    """
    remaining, final = final_part(circuit)
    writer = _Writer(device, _groups(device), acted_on(circuit))
    again, final_reads = _read_again(remaining, final)
    for place, item in enumerate(remaining.data):
        writer.add(remaining, item, final=place in final_reads)
    places = {**writer.read, **again, **final}
    read = {bit: places[bit] + FIRST_LABEL for bit in sorted(places)}
    return boxed(circuit, writer.box, read, writer.pairs)


def _groups(device: str) -> Mapping[int, int]:
    """Return the group of each qubit that is known to be in one with others."""
    return {
        qubit: number
        for number, group in enumerate(GROUPS.get(device, ()), start=1)
        for qubit in sorted(group)
    }


def _read_again(
    circuit: QuantumCircuit, final: Mapping[int, int]
) -> tuple[Mapping[int, int], set[int]]:
    """Return the places where the final values of bits can be read.

    Args:
        circuit: without its final measurements.
        final: the qubit that each of these reads into a bit.

    Returns:
        The qubit that a bit can be read from again, as no gate follows its measurement; and the
        places of the last measurements into all other bits.
    """
    again: dict[int, int] = {}
    final_reads: set[int] = set()
    done, busy = set(final), set(final.values())
    for place, item in reversed(list(enumerate(circuit.data))):
        if isinstance(item.operation, Barrier):
            continue
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if isinstance(item.operation, Measure):
            bit = circuit.find_bit(item.clbits[0]).index
            if bit not in done and qubits[0] in busy:
                final_reads.add(place)
            elif bit not in done:
                again[bit] = qubits[0]
            done.add(bit)
        busy.update(qubits)
    return again, final_reads


@define
class _Writer:
    """Writes statements.

    Args:
        device: its name.
        group: of each qubit.
        taken: qubits that are not spare.
        box: statements so far.
        read: the qubit that each bit is read from.
        pairs: that are coupled.
        key: of the current value of each bit, and the qubit that was measured under it.
        known: the key of each qubit's measurement, if no gate has followed it.
        listens: the qubit whose measurements turn each qubit.
        keys: their number.
    """

    device: str
    group: Mapping[int, int]
    taken: set[int]
    box: list[str] = field(factory=list)
    read: dict[int, int] = field(factory=dict)
    pairs: set[tuple[int, int]] = field(factory=set)
    key: dict[int, tuple[int, int]] = field(factory=dict)
    known: dict[int, int] = field(factory=dict)
    listens: dict[int, int] = field(factory=dict)
    keys: int = 0

    def add(self, circuit: QuantumCircuit, item: CircuitInstruction, *, final: bool) -> None:
        places = [circuit.find_bit(qubit).index for qubit in item.qubits]
        match item.operation:
            case Barrier():
                return
            case Measure():
                self._measure(places[0], circuit.find_bit(item.clbits[0]).index, final=final)
            case Reset():
                self._reset(places[0])
            case IfElseOp() | SwitchCaseOp():
                self._branch(circuit, item)
            case _:
                self._gate(item, places)

    def label(self, qubit: int) -> int:
        return qubit + FIRST_LABEL

    def _gate(self, item: CircuitInstruction, places: Sequence[int]) -> None:
        labels = [self.label(place) for place in places]
        if item.operation.name == "cz":
            self.box.append(f"cz ${labels[0]}, ${labels[1]};")
            self.pairs.add((labels[0], labels[1]))
        else:
            theta, phi = rotation(item)
            self.box.append(f"prx({theta!r}, {phi!r}) ${labels[0]};")
        for place in places:
            self.known.pop(place, None)

    def _measure(self, qubit: int, bit: int, *, final: bool) -> None:
        key = self._measured(qubit)
        self.key[bit] = (key, qubit)
        if final:
            spare = self._spare(qubit)
            self._turn(spare, (pi, 0.0), key, qubit)
            self.read[bit] = spare

    def _measured(self, qubit: int) -> int:
        """Return the key of a qubit's current measurement."""
        if qubit not in self.known:
            self.box.append(f"measure_ff({self.keys}) ${self.label(qubit)};")
            self.known[qubit] = self.keys
            self.keys += 1
        return self.known[qubit]

    def _reset(self, qubit: int) -> None:
        key = self._measured(qubit)
        self._turn(qubit, (pi, 0.0), key, qubit)

    def _spare(self, near: int) -> int:
        """Return a qubit of the same group that nothing else happens to."""
        for qubit, group in self.group.items():
            if group == self.group.get(near) and qubit not in self.taken:
                self.taken.add(qubit)
                return qubit
        raise BackendError(
            f"braket:{self.device} returns no bits that are measured on the way, and there is no "
            f"spare qubit left in the group of {self.label(near)} to keep one: use fewer measured "
            "qubits again"
        )

    def _branch(self, circuit: QuantumCircuit, item: CircuitInstruction) -> None:
        choice = choice_of(item.operation)
        if len(choice.reads) != 1:
            raise BackendError(
                f"braket:{self.device} decides by one bit at a time, not by {len(choice.reads)}"
            )
        bodies = [body_of(block, circuit, item) for block in item.operation.blocks]
        held = self.key.get(circuit.find_bit(choice.reads[0]).index)
        by_value = [choice.body({choice.reads[0]: value}) for value in (False, True)]
        zero, ones = ([] if n is None else list(self._rotations(bodies[n])) for n in by_value)
        # The branch of 0 is always done, and undone before the branch of 1.
        for qubit, (theta, phi) in zero:
            self.box.append(f"prx({theta!r}, {phi!r}) ${self.label(qubit)};")
            self.known.pop(qubit, None)
        if held is None or zero == ones:
            return
        key, source = held
        for qubit, (theta, phi) in reversed(zero):
            self._turn(qubit, (-theta, phi), key, source)
        for qubit, turned in ones:
            self._turn(qubit, turned, key, source)

    def _rotations(self, body: QuantumCircuit) -> Iterator[tuple[int, Rotation]]:
        for item in body.data:
            if isinstance(item.operation, Barrier):
                continue
            if item.operation.name != "r":
                raise BackendError(
                    f"braket:{self.device} takes gates on one qubit within branches, not "
                    f"'{item.operation.name}'"
                )
            yield body.find_bit(item.qubits[0]).index, rotation(item)

    def _turn(self, qubit: int, turned: Rotation, key: int, source: int) -> None:
        """Rotate a qubit if a measurement of another, or of itself, gave 1."""
        named, by = self.label(qubit), self.label(source)
        other = self.listens.setdefault(qubit, source)
        if other != source:
            raise BackendError(
                f"braket:{self.device} lets a qubit depend on measurements of one qubit alone: "
                f"{named} would on those of {self.label(other)} and {by}"
            )
        if qubit != source and self.group[qubit] != self.group[source]:
            raise BackendError(
                f"braket:{self.device} lets a qubit depend on qubits of its own group alone: "
                f"{named} would on {by}; compile for 'iqm:{self.device}:feed-forward'"
            )
        theta, phi = turned
        self.box.append(f"cc_prx({theta!r}, {phi!r}, {key}) ${named};")
        self.known.pop(qubit, None)


def rotation(item: CircuitInstruction) -> Rotation:
    """Return the angles of a PRX.

    Raises:
        BackendError: if it is another gate.
    """
    if item.operation.name != "r":
        raise BackendError(
            f"IQM's devices have no gate '{item.operation.name}'; compile for 'iqm:garnet'"
        )
    theta, phi = (float(angle) for angle in item.operation.params)
    return theta, phi
