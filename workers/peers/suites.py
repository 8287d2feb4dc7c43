"""Suites of subjects, with their forms and targets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from compiler.errors import UnknownNameError, meant
from compiler.targets import sized_spec
from compiler.targets.resonator import computational_qubits
from workers.peers.subjects import DYNAMIC, MOVES, QUBIKOS, Form, Kind, Subject
from workers.peers.trials import Case, target_of

TARGETS = ("star", "heavy-hex:boston", "heavy-hex:marrakesh")

Programs = tuple[tuple[Subject, tuple[Form, ...]], ...]


def _programs(kind: Kind, names: Iterable[str], *forms: Form) -> Programs:
    return tuple((Subject(kind, name), forms or (Form.GIVEN,)) for name in names)


SUITES: Mapping[str, Programs] = {
    # The toy as in the papers and at its leanest, and the nine-card showcase.
    "games": (
        (Subject(Kind.GAME, "skat-4", "paper"), (Form.LITERAL, Form.LOGICAL)),
        (Subject(Kind.GAME, "skat-4", "lean"), (Form.LOGICAL,)),
        (Subject(Kind.GAME, "skat-9", "lists"), (Form.LOGICAL,)),
    ),
    # Remaining gates of the toy if its operators were given up.
    "floor": _programs(Kind.CIRCUIT, ["outcomes:4"]),
    "operators": (
        *_programs(Kind.OPERATOR, ["D(4,2)"], Form.LITERAL, Form.LOGICAL),
        *_programs(Kind.OPERATOR, ["CP_2^4"], Form.LOGICAL),
    ),
    # Gates of three levels on two qubits each: whole matrices, and with illegal states left free.
    "qutrits": _programs(
        Kind.OPERATOR, ["CNOT mod 3", "H3", "X1", "Z1", "H1 Z2 H3"], Form.LITERAL, Form.LOGICAL
    ),
    # Moves on any points: the paper's gates, and their matrix for those who synthesise any.
    "boards": _programs(Kind.OPERATOR, MOVES, Form.LITERAL, Form.UNITARY),
    "circuits": _programs(
        Kind.CIRCUIT,
        ["adder:10", "dicke:8", "ghz:30", "grover:5", "qaoa:12", "qft:10", "quantum-volume:8",
         "vqe-full:8", "vqe-linear:16"],
    ),
    # Random CX between Clifford and T gates, and between generic gates, where nothing commutes.
    "random": _programs(Kind.CIRCUIT, [f"random-clifford-t:{qubits}" for qubits in (7, 17, 24)]),
    "generic": _programs(Kind.CIRCUIT, [f"random-cx:{qubits}" for qubits in (7, 17, 24)]),
    # Circuits that measure, reset and branch on the way.
    "dynamic": _programs(Kind.DYNAMIC, DYNAMIC),
    # Circuits from a few qubits to a whole device.
    "device": _programs(
        Kind.CIRCUIT,
        ["qft:8", "qft:16", "qft:48", "qaoa:20", "qaoa:100", "heisenberg:20", "heisenberg:100",
         "random-cx:20", "random-cx-1000:60", "ghz:30", "vqe-linear:16"],
    ),
    # Circuits whose fewest swaps are known.
    QUBIKOS: _programs(
        Kind.CIRCUIT,
        [f"{QUBIKOS}:heavy-hex:boston:{swaps}:{seed}" for swaps in (5, 10) for seed in range(5)],
    ),
    # Cases that some compilers refuse: a resonator, small phases, whole devices, branches.
    "limits": (
        *_programs(Kind.CIRCUIT, ["ghz:5", "slight-phases:6", "heisenberg:100"]),
        *_programs(Kind.DYNAMIC, ["teleported-ghz"]),
    ),
}  # fmt: skip

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
