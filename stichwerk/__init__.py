"""The public Python interface: compile, prove, run and score games and circuits.

All names below are stable; modules of other packages may change from release to release. Names
whose packages only some users need are imported when they are first used.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

PACKAGES = ("compiler", "games", "backends", "workers", "play", "service")
"""Top-level packages of this distribution, with names that a user's folder may have too."""


def _check_packages() -> None:
    """Refuse to start where another folder or module has the name of one of our packages.

    Raises:
        ImportError: Naming it.
    """
    root = Path(__file__).parents[1]
    for name in PACKAGES:
        spec = find_spec(name)
        places = list(spec.submodule_search_locations or [spec.origin or ""]) if spec else []
        if str(root / name) not in places:
            where = places[0] if places else "not installed"
            raise ImportError(
                f"package '{name}' of Stichwerk is hidden: {where}. Rename that file or folder, "
                "or start Python in another one"
            )


_check_packages()

from backends import backend_from_spec as backend
from backends import backends
from compiler.amplification.event import Event
from compiler.amplification.iterate import amplified
from compiler.compilation import Compiled, Options, compile
from compiler.errors import (
    InputError,
    LoweringError,
    MissingExtraError,
    StichwerkError,
    VerificationError,
)
from compiler.estimation import Bayesian
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec as public_circuit
from compiler.scores.scoring import Score, score
from compiler.targets.target import target_families as targets
from games.game import Game, games
from stichwerk.programs import game, program, target
from stichwerk.runs import exact_distribution, run, verify

if TYPE_CHECKING:
    from compiler.plugins.tket import lowering_pass as tket_pass
    from stichwerk.checks import check_gates, compare
    from stichwerk.client import Client

_LAZY = {
    "Client": "stichwerk.client:Client",
    "check_gates": "stichwerk.checks:check_gates",
    "compare": "stichwerk.checks:compare",
    "tket_pass": "compiler.plugins.tket:lowering_pass",
}

__all__ = [
    "Bayesian",
    "Client",
    "Compiled",
    "Event",
    "Game",
    "InputError",
    "LoweringError",
    "MissingExtraError",
    "Options",
    "Program",
    "Score",
    "StichwerkError",
    "VerificationError",
    "amplified",
    "backend",
    "backends",
    "check_gates",
    "compare",
    "compile",
    "exact_distribution",
    "game",
    "games",
    "program",
    "public_circuit",
    "run",
    "score",
    "target",
    "targets",
    "tket_pass",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'stichwerk' has no attribute '{name}'")
    module, _, attribute = _LAZY[name].partition(":")
    return getattr(import_module(module), attribute)
