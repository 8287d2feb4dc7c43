"""Commands that only one family has: it says what they ask and answer, whoever shows it the rest.

They are entries of `service/cli/front/commands.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from qiskit import QuantumCircuit

from compiler.words.estimator_names import EstimatorName
from games.playing.panels import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@frozen
class Asked:
    """What the annotation of a command's parameter says of it.

    Args:
        help: one or two sentences.
        metavar: what stands for its value; empty for its type.
        least: the smallest number; None for any.
        most: the largest one.
        suffixes: of a file that the command writes, of which its name must have one.
    """

    help: str
    metavar: str = ""
    least: int | None = None
    most: int | None = None
    suffixes: tuple[str, ...] = ()


@frozen
class Run:
    """A game that is to be compiled and run.

    Args:
        name: of the game's file.
        document: the file.
        backend: that runs it.
        shots: how often.
        seed: of the compiler and of the backend, if it takes one.
        pipelines: that lower it; none for those of the method `fast`.
    """

    name: str
    document: str
    backend: str
    shots: int
    seed: int
    pipelines: tuple[str, ...] = ()


@frozen
class Ran:
    """What came of a game that was compiled and run.

    Args:
        job: its number among the records.
        observables: name → `measured`, `low`, `high`, `exact`, as the command `run` has them.
        counts: shots by measured classical bits, bit i being classical bit i of the program.
        two_qubit_gates: of the circuit that was run.
        verified: how that was proven.
    """

    job: int
    observables: Mapping[str, Mapping[str, Any]]
    counts: Mapping[int, int]
    two_qubit_gates: int
    verified: str


@frozen
class Training:
    """A training that is handed to the workers of the queue.

    Args:
        run: the game as it is before, and how each circuit is compiled and run.
        asked: what is trained; its `kind` is that of `games.training.trainings`.
        tag: of all jobs; empty for none.
        max_cost: what all jobs may cost together, such as `10USD`; empty for any.
    """

    run: Run
    asked: Mapping[str, Any]
    tag: str = ""
    max_cost: str = ""


@frozen
class Handed:
    """What workers have been given.

    Args:
        job: its number.
        circuits: how many it is going to run.
        least_cost_usd: what these cost at least, in US dollars.
    """

    job: int
    circuits: int
    least_cost_usd: str


@frozen
class AskedEstimate:
    """A game one of whose observables is to be estimated by amplitude estimation.

    Args:
        run: the game, and how its circuits are compiled and run; the shots are those of a round.
        observable: its name.
        estimator: how it is estimated.
        error: half the width of the interval of 95 % that is wanted.
        most_iterates: of a circuit.
        by_workers: whether it is handed to the workers of the queue, and not asked here.
        tag: of the workers' jobs; empty for none.
        max_cost: what they may cost together, such as `20USD`; empty for any.
    """

    run: Run
    observable: str
    estimator: EstimatorName
    error: float
    most_iterates: int
    by_workers: bool = False
    tag: str = ""
    max_cost: str = ""


@frozen
class Estimated:
    """What came of an estimate.

    Args:
        value: of the observable.
        low: where its interval of 95 % begins.
        high: where it ends.
        reached: whether that is as narrow as was wanted.
        calls: how often the program or its inverse was played.
        sampling_calls: how often the program alone is played for the error that was wanted.
        shots: of all rounds.
        circuits: how many different ones were run.
        deepest: the most iterates of a circuit.
        two_qubit_gates: of the program's circuit.
        iterate_two_qubit_gates: that an iterate adds.
        verified: how the circuits were proven.
    """

    value: float
    low: float
    high: float
    reached: bool
    calls: int
    sampling_calls: int
    shots: int
    circuits: int
    deepest: int
    two_qubit_gates: int
    iterate_two_qubit_gates: int
    verified: Sequence[str]


@frozen(eq=False)
class ReadyEstimate:
    """An estimate that has been checked, and can be begun.

    Args:
        begin: asks the backend round after round; it raises what the command `estimate` does.
        hand_over: records it as a job, and returns the job's number; it says before what that
            costs.
    """

    begin: Callable[[], Estimated]
    hand_over: Callable[[], int]


@frozen(eq=False)
class Means:
    """What only the command line has, and games may not: time, processors and backends.

    Args:
        clock: tells for how many seconds of processor time the calling thread has worked.
        processors: that this process may use.
        say: takes a line of progress.
        run: compiles a game, runs and records it; it raises what the command `run` does.
        check: raises an InputError for a backend that there is not, by its spec, and, unless it is
            workers who ask it, for one whose provider does not take this user's account.
        hand_over: records a training as a job; it raises what the command `submit` does.
        estimate: checks an estimate; it raises what the command `estimate` does beforehand.
        pictured: whether the user wants a picture of the answer.
    """

    clock: Callable[[], float]
    processors: int
    say: Callable[[str], None]
    run: Callable[[Run], Ran]
    check: Callable[[str, bool], None]
    hand_over: Callable[[Training], Handed]
    estimate: Callable[[AskedEstimate], ReadyEstimate]
    pictured: bool = False


@frozen(eq=False)
class Answer:
    """What a command answers.

    Args:
        panels: for people.
        document: the same and more for programs, as JSON has it.
        picture: what is drawn, a circuit, its wires named by registers, or what draws on an
            empty figure; None for nothing.
        yes: False for an answer that is "no", with which the command exits with 1.
        written: what is written to files that the user has named, by the name of the parameter.
    """

    panels: Sequence[Panel]
    document: Mapping[str, Any]
    picture: "QuantumCircuit | Callable[[Figure], None] | None" = None
    yes: bool = True
    written: Mapping[str, str] = field(factory=dict)


Command = Callable[..., Answer]
"""Its parameters are keywords: `Annotated` with `Asked`, of type str, int, float, bool or an
enumeration of words, each of them or None for what nobody has said, or `Game`, which is the
command's argument, a game's name or file, or its unread `Source`; or one `Means`. A str with
`suffixes` names a file that is written if the answer has text for it. Its docstring is its help. It
raises an InputError for what cannot be."""
