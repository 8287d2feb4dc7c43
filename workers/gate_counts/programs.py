"""Programs that a suite names: games, also amplified ones, files, public circuits.

Compiling and counting one of them: calls that any process can make.
"""

from functools import cache
from pathlib import Path

from attrs import evolve, frozen
from qiskit import QuantumCircuit, qasm3

from compiler.amplification.event import Event
from compiler.amplification.iterate import amplified
from compiler.compilation import Compiled
from compiler.compilation.listener import Listener
from compiler.compilation.portfolio import carry_out
from compiler.dynamic.pieces import final_part
from compiler.errors import InputError, LoweringError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.public_circuits import circuit_from_spec
from games import BEST_ENCODING, compile_best, encoded, named_game
from games.sources import SUFFIXES, Source, read_game
from workers.attributes import build
from workers.compilation.orders import CompileOrder, plan_order
from workers.gate_counts.counts import Counts
from workers.untrusted_programs.files import read_source_file

PREFIX = "benchmark:"
AMPLIFIED = "amplified:"
MAX_ITERATES = 64
SEED = 0
"""Seed of random public circuits."""


def source_of(program: str, folder: Path) -> Source:
    """Return the source of a `program` in a suite's file.

    An amplified game is only named; it is written when it is compiled, see `written`.

    Args:
        program: a game's spec; a file that ends in `.toml`, `.qasm` or `.qpy`;
            `benchmark:name:qubits`, a circuit of `compiler.public_circuits`, all qubits measured;
            or `amplified:encoding:event:iterates:game`, see `compiler.amplification`.
        folder: where files are looked for.

    Raises:
        InputError: if a file cannot be read, or there is no such circuit.
    """
    if program.startswith(PREFIX):
        return _public_circuit(program.removeprefix(PREFIX))
    if program.startswith(AMPLIFIED):
        Amplified.named(program)
        return Source(program)
    if not program.endswith(SUFFIXES):
        if "/" in program:
            raise InputError(f"{program}: a file must end in {', '.join(SUFFIXES)}")
        return Source(program)
    return read_source_file(folder / program)


@cache
def _public_circuit(spec: str) -> Source:
    circuit = circuit_from_spec(spec, SEED)
    circuit.measure_all()
    return Source(f"{spec.replace(':', '-')}.qasm", qasm3.dumps(circuit).encode())


@frozen
class Amplified:
    """A game's event with Grover iterates, as a suite's file names it.

    Args:
        game: its spec.
        event: of the game in an encoding.
        iterates: how many.
    """

    game: str
    event: Event
    iterates: int

    @classmethod
    def named(cls, program: str) -> "Amplified":
        """Return the amplified game of `amplified:encoding:event:iterates:game`.

        Raises:
            InputError: if the name has another form, or the game, encoding or event is unknown.
        """
        try:
            encoding, event, iterates, game = program.removeprefix(AMPLIFIED).split(":", 3)
            count = int(iterates)
        except ValueError as error:
            raise InputError(
                f"{program}: must be {AMPLIFIED}encoding:event:iterates:game, such as "
                f"{AMPLIFIED}lean:win:1:skat-4"
            ) from error
        if not 0 <= count <= MAX_ITERATES:
            raise InputError(f"{program}: {count} iterates are not 0 to {MAX_ITERATES}")
        return cls(game, Event(encoded(named_game(game), encoding), event), count)

    def circuit(self) -> QuantumCircuit:
        """Return it as gates and measurements."""
        program = amplified(self.event).program(self.iterates)
        gates, measured = final_part(program.circuit)
        circuit = program.circuit.copy_empty_like()
        circuit.compose(lower_operators(gates, "cheapest"), circuit.qubits, inplace=True)
        for clbit, qubit in measured.items():
            circuit.measure(qubit, clbit)
        return circuit


@cache
def written(source: Source) -> Source:
    """Return an amplified game as a circuit of gates, and all else as it is.

    Its first part is lowered by searches, which like all others do the same everywhere only in the
    processes of `fixed_pool`.
    """
    if not source.name.startswith(AMPLIFIED):
        return source
    circuit = Amplified.named(source.name).circuit()
    return Source(f"{source.name.replace(':', '-')}.qasm", qasm3.dumps(circuit).encode())


def objection(order: CompileOrder) -> str:
    """Return the fault of an order, `""` if it can be compiled.

    Amplifying a game takes long: only the game alone is checked.
    """
    try:
        plan_order(_alone(order))
    except InputError as error:
        return str(error)
    return ""


def counted(order: CompileOrder) -> Counts:
    """Compile, prove and count; nothing is recorded."""
    try:
        compiled = _compiled(order)
    except (LoweringError, VerificationError) as error:
        return Counts.of_failure(error)
    return build(Counts, compiled.figures, verified=compiled.verified)


def _alone(order: CompileOrder) -> CompileOrder:
    """Return the order of a game alone for that of an amplified one."""
    if not order.source.name.startswith(AMPLIFIED):
        return order
    amplified_ = Amplified.named(order.source.name)
    return evolve(order, source=Source(amplified_.game), encoding=amplified_.event.program.encoding)


def _compiled(order: CompileOrder) -> Compiled:
    settled, plan = plan_order(evolve(order, source=written(order.source)))
    if settled.encoding == BEST_ENCODING:
        return compile_best(read_game(order.source), order.target, order.options).compiled
    return carry_out(plan, Listener())
