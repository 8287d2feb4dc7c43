"""Options of commands that compile, each written once."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve, frozen

from compiler.compilation import Options
from compiler.errors import InputError
from compiler.formats.parameter_values import Values, merged, values_from_text
from compiler.lowering import pipelines
from compiler.lowering.fractional import NAME as FRACTIONAL
from compiler.lowering.pipeline import BUDGET, OBJECTIVES, SEEDS, optional_passes, passes_from_zero
from compiler.words.run_options import MITIGATION
from games import BEST_ENCODING, DEFAULT_ENCODING, encodings
from games.nonlocal_games.questions import question_sources
from games.sources import Source
from service.cli.front.parameters import shared_options
from service.cli.options import MAX_SECONDS, Seed
from workers.compilation.orders import CompileOrder
from workers.untrusted_programs.files import read_values_file

Method = Annotated[str, typer.Option()]
"""fast: few pipelines, one seed, in seconds; best: every synthesis, every pipeline, several
seeds; or one synthesis by its name, such as literal, with every pipeline and several seeds."""
Pipelines = Annotated[
    list[str] | None,
    typer.Option(
        "--pipeline",
        help=f"Only this pipeline; may be repeated: {', '.join(pipelines)}.",
        show_default=False,
    ),
]
Encoding = Annotated[
    str,
    typer.Option(
        help=f"Encoding of the game on qubits: {DEFAULT_ENCODING}: that of the game; "
        f"{BEST_ENCODING}: the best of all by the objective; or one of "
        f"{', '.join(encodings)}. Circuits have no encoding."
    ),
]


class FractionalGates(StrEnum):
    """Use of fractional gates."""

    AUTO = "auto"
    OFF = "off"


MaxCost = Annotated[str, typer.Option()]
"""Maximum cost of a job, such as 5USD; a job that may cost more is not submitted."""

Mitigation = Annotated[
    str,
    typer.Option(
        help=f"Error mitigation, in addition to the raw run: {', '.join(MITIGATION)}, separated "
        "by commas (dynamical decoupling, Pauli twirling, zero-noise extrapolation). The extra "
        "cost is printed first. Readout errors are corrected also without this option."
    ),
]


@frozen
class CompileArguments:
    """Options of a compiling command.

    Args:
        options: of the compiler.
        encoding: an encoding's name, `default` or `best`.
        time_limit: seconds after which no further attempt begins; None for no limit.
        values: sets of values of the circuit's parameters; none for none.
    """

    options: Options
    encoding: str
    time_limit: float | None
    values: Sequence[Values] = ()
    questions: bool = False
    distance: int = 0

    def orders(self, source: Source, target: str) -> list[CompileOrder]:
        """Return the orders, unchecked, for each set of values or each question.

        Raises:
            InputError: if there are both values and questions, or there is no such question.
        """
        if self.questions or self.distance:
            if self.values:
                raise InputError("a game has no parameters: leave out --bind and --bind-file")
            options = self.options.in_place if self.distance else self.options
            sources = question_sources(source, target, self.distance)
            return [
                CompileOrder(each, target, options, self.encoding, self.time_limit)
                for each in sources
            ]
        return [
            CompileOrder(
                evolve(source, values=values), target, self.options, encoding=self.encoding,
                time_limit=self.time_limit, shared=len(self.values) > 1,
            )
            for values in self.values or [()]
        ]  # fmt: skip


def _compile_arguments(
    *,
    method: Method = "fast",
    pipeline: Pipelines = None,
    encoding: Encoding = DEFAULT_ENCODING,
    objective: Annotated[
        str,
        typer.Option(
            "--objective",
            help=f"Figure to optimise: {', '.join(OBJECTIVES)}; the last one is for "
            "error-corrected qubits with all-to-all coupling.",
        ),
    ] = "two_qubit_gates",
    seed: Seed = 0,
    seeds: Annotated[int, typer.Option(min=1, max=1000)] = SEEDS,
    budget: Annotated[int, typer.Option(min=1, max=100_000)] = BUDGET,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Disable this optimisation; may be repeated: {', '.join(optional_passes())}.",
            show_default=False,
        ),
    ] = None,
    any_input: Annotated[
        bool | None,
        typer.Option(
            "--any-input/--from-zero",
            help="The result must be correct for any input, or for |0…0⟩ only. Any input "
            f"disables {', '.join(passes_from_zero())}, and clean ancillas. "
            "Default: any input for circuits without measurements, |0…0⟩ for all others.",
            show_default=False,
        ),
    ] = None,
    reuse_qubits: bool = False,
    fractional: FractionalGates = FractionalGates.AUTO,
    bind: Annotated[list[str] | None, typer.Option(metavar="NAME=NUMBER")] = None,
    bind_file: Annotated[Path | None, typer.Option(metavar="VALUES.json")] = None,
    questions: bool = False,
    distance: Annotated[int, typer.Option(min=0, max=1000)] = 0,
    time_limit: Annotated[float | None, typer.Option(min=0, max=MAX_SECONDS)] = None,
) -> CompileArguments:
    """Return the options; the parameters are those that commands take.

    Options:
        seeds: Number of seeds of each seeded pipeline; not with the method fast.
        budget: Number of candidates of each search in an attempt.
        reuse_qubits: Measure every qubit as early as possible, reset it, and reuse it. The
            distribution of measured bits stays the same; the backend must support mid-circuit
            measurements and resets.
        fractional: Fractional gates rx and rzz (0 < θ ≤ π/2): auto: if the target has them in
            addition to CZ, CX or ECR, and they save two-qubit gates; off: never (same as --without
            fractional).
        bind: Value of a parameter of the circuit; may be repeated.
        bind_file: Values of parameters: a JSON object of numbers by name, or a list of such
            objects. 'run' and 'submit' compile the circuit once and run it for each object.
        questions: Nonlocal games: a circuit for each question, as one job with one win rate.
        distance: Nonlocal games: as --questions, with this distance on the target's coupling map
            between the qubits of neighbouring players; 0 for any qubits.
        time_limit: Seconds after which no further attempt starts; results then depend on the
            computer's speed.
    """
    options = Options(
        method,
        objective=objective,
        seed=seed,
        pipelines=tuple(pipeline or ()),
        seeds=seeds,
        budget=budget,
        without=(*(without or ()), *([FRACTIONAL] if fractional is FractionalGates.OFF else [])),
        any_input=any_input,
        reuse_qubits=reuse_qubits,
    )
    sets = read_values_file(bind_file) if bind_file else []
    return CompileArguments(
        options,
        encoding,
        time_limit,
        merged(sets, values_from_text(bind or ())),
        questions,
        distance,
    )


compile_options = shared_options("arguments", _compile_arguments)
"""Gives a command the options of compiling, in the place of its parameter `how`."""
