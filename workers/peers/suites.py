"""Suites of subjects, with their forms and targets."""

from collections.abc import Iterator, Mapping, Sequence

from compiler.errors import UnknownNameError, meant
from compiler.targets import sized_spec
from compiler.targets.resonator import computational_qubits
from workers.peers.subjects import DYNAMIC, MOVES, QUBIKOS, Form, Kind, Subject
from workers.peers.trials import Case, target_of

TARGETS = ("star", "heavy-hex:boston", "heavy-hex:marrakesh")

BOTH = (Form.LITERAL, Form.LOGICAL)
LOGICAL = (Form.LOGICAL,)
GIVEN = (Form.GIVEN,)
Programs = tuple[tuple[Subject, tuple[Form, ...]], ...]

GAMES: Programs = (
    (Subject(Kind.GAME, "skat-4", "paper"), BOTH),
    (Subject(Kind.GAME, "skat-4", "lean"), LOGICAL),
    (Subject(Kind.GAME, "skat-9", "lists"), LOGICAL),
)
"""The toy as in the papers and at its leanest, and the nine-card showcase."""

OPERATORS: Programs = (
    (Subject(Kind.OPERATOR, "D(4,2)"), BOTH),
    (Subject(Kind.OPERATOR, "CP_2^4"), LOGICAL),
)

QUTRITS: Programs = tuple(
    (Subject(Kind.OPERATOR, name), BOTH) for name in ("CNOT mod 3", "H3", "X1", "Z1", "H1 Z2 H3")
)
"""Gates of three levels on two qubits each: whole matrices, and with illegal states left free."""

BOARDS: Programs = tuple(
    (Subject(Kind.OPERATOR, move), (Form.LITERAL, Form.UNITARY)) for move in MOVES
)
"""Moves on any points: the paper's gates, and their matrix for those who synthesise any."""

CIRCUITS: Programs = tuple(
    (Subject(Kind.CIRCUIT, spec), GIVEN)
    for spec in (
        "adder:10", "dicke:8", "ghz:30", "grover:5", "qaoa:12", "qft:10", "quantum-volume:8",
        "vqe-full:8", "vqe-linear:16",
    )
)  # fmt: skip

RANDOM: Programs = tuple(
    (Subject(Kind.CIRCUIT, f"random-clifford-t:{qubits}"), GIVEN) for qubits in (7, 17, 24)
)
GENERIC: Programs = tuple(
    (Subject(Kind.CIRCUIT, f"random-cx:{qubits}"), GIVEN) for qubits in (7, 17, 24)
)
"""Random CX between Clifford and T gates, and between generic gates, where nothing commutes."""

FLOOR: Programs = ((Subject(Kind.CIRCUIT, "outcomes:4"), GIVEN),)
"""Remaining gates of the toy if its operators were given up."""

BRANCHING: Programs = tuple((Subject(Kind.DYNAMIC, name), GIVEN) for name in DYNAMIC)
"""Circuits that measure, reset and branch on the way."""

DEVICE: Programs = tuple(
    (Subject(Kind.CIRCUIT, spec), GIVEN)
    for spec in (
        "qft:8", "qft:16", "qft:48", "qaoa:20", "qaoa:100", "heisenberg:20", "heisenberg:100",
        "random-cx:20", "random-cx-1000:60", "ghz:30", "vqe-linear:16",
    )
)  # fmt: skip
"""Circuits from a few qubits to a whole device."""

SWAPS: Programs = tuple(
    (Subject(Kind.CIRCUIT, f"{QUBIKOS}:heavy-hex:boston:{swaps}:{seed}"), GIVEN)
    for swaps in (5, 10)
    for seed in range(5)
)
"""Circuits whose fewest swaps are known."""

LIMITS: Programs = tuple(
    (subject, GIVEN)
    for subject in (
        Subject(Kind.CIRCUIT, "ghz:5"),
        Subject(Kind.CIRCUIT, "slight-phases:6"),
        Subject(Kind.CIRCUIT, "heisenberg:100"),
        Subject(Kind.DYNAMIC, "teleported-ghz"),
    )
)
"""Cases that some compilers refuse: a resonator, small phases, whole devices, branches."""

SUITES: Mapping[str, Programs] = {
    "games": GAMES,
    "floor": FLOOR,
    "operators": OPERATORS,
    "qutrits": QUTRITS,
    "boards": BOARDS,
    "circuits": CIRCUITS,
    "random": RANDOM,
    "generic": GENERIC,
    "dynamic": BRANCHING,
    "device": DEVICE,
    QUBIKOS: SWAPS,
    "limits": LIMITS,
}

WIDE = ("device", QUBIKOS)
"""Suites for whole devices."""

MEANT_FOR: Mapping[str, Sequence[str]] = {
    "limits": ("heavy-hex:boston", "resonator:6"),
    "device": ("heavy-hex:boston",),
    QUBIKOS: ("heavy-hex:boston",),
}
"""Targets of suites that are not for `TARGETS`."""


def chosen_suites(names: Sequence[str]) -> list[str]:
    """Return suites by their names, each once; `all` is all of them.

    Raises:
        UnknownNameError: if there is no such suite.
    """
    for name in names:
        if name not in (*SUITES, "all"):
            raise UnknownNameError(f"unknown suite '{name}'; {meant(name, (*SUITES, 'all'))}")
    return list(SUITES) if "all" in names else list(dict.fromkeys(names))


def cases(suites: Sequence[str], targets: Sequence[str] | None = None) -> list[Case]:
    """Return the cases of suites.

    Args:
        suites: names in `SUITES`, or `all`.
        targets: specs, complete or without their size; `heavy-hex` is a cut of the program's
            size. Programs that do not fit on a target are left out. None for those that a suite
            is meant for.

    Raises:
        UnknownNameError: if there is no such suite or target.
        TargetError: if a target's size is not to be had.
    """
    names = chosen_suites(suites)
    for spec in targets or ():
        target_of(sized_spec(spec, 5))
    return [
        case
        for name in names
        for subject, forms in SUITES[name]
        for case in _cases(name, subject, forms, targets or MEANT_FOR.get(name, TARGETS))
    ]


def _cases(
    suite: str, subject: Subject, forms: Sequence[Form], targets: Sequence[str]
) -> Iterator[Case]:
    qubits = subject.program().num_qubits
    for spec in targets:
        sized = sized_spec(spec, qubits)
        fits = computational_qubits(target_of(sized)) >= qubits
        if fits and subject.routed_on in ("", sized):
            for form in forms:
                yield Case(suite, subject, form, sized)
