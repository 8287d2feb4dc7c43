"""Options of the command `train`, in groups."""

from typing import Annotated

import typer
from attrs import frozen

from compiler.errors import InputError
from games.trick_taking.training.learning import BEST_RESPONSE, OBJECTIVES
from service.cli.compile_options import MaxCost
from service.cli.shared_options import shared_options

STEPS, MEASURED_STEPS = 300, 15
Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The file of a trick-taking game, or a name such as skat-9; its lead is free. A file "
        "with weights, as --save writes it, is continued.",
        show_default=False,
    ),
]
Seat = Annotated[
    str,
    typer.Option(
        metavar="A|B|C",
        help="Who learns; of an equilibrium, whose weights are shown. Or 0, 1 or 2.",
    ),
]
Objective = Annotated[
    str,
    typer.Option(
        metavar="|".join(OBJECTIVES),
        help=f"{BEST_RESPONSE}: one seat learns against the others' weights, equal ones if the "
        "file has none; equilibrium: all learn in turn.",
    ),
]
Steps = Annotated[
    int,
    typer.Option(
        min=0, max=20_000, help=f"Of the training; 0 for {STEPS}, on backends {MEASURED_STEPS}."
    ),
]
Save = Annotated[
    str,
    typer.Option(
        metavar="FILE.toml",
        help="Write the game with the trained weights, for 'stichwerk compile' and 'stichwerk "
        "run'; weights of a best response that win nothing are left equal.",
    ),
]


@frozen(kw_only=True)
class Running:
    """Options of a training on backends."""

    backend: Annotated[
        str,
        typer.Option(
            "--backend",
            "-b",
            help="Measure P(win) and its gradients on circuits here; several backends with commas "
            "between them train one after the other. See 'stichwerk backends'.",
        ),
    ] = ""
    shots: Annotated[int, typer.Option(min=1, max=1_000_000, help="Of each circuit.")] = 1000
    pipeline: Annotated[
        str,
        typer.Option(
            help="Lower these circuits by it alone, such as the quick window-qiskit; by default "
            "as 'stichwerk compile --method fast' does."
        ),
    ] = ""
    queue: Annotated[
        bool,
        typer.Option(
            "--queue",
            help="Hand the training to the workers, for any one backend: a job whose rounds are "
            "jobs.",
        ),
    ] = False
    tag: Annotated[str, typer.Option(help="With --queue, of all its jobs.")] = ""
    max_cost: MaxCost = ""

    def check(self, *, files: bool) -> None:
        """Check which options are given together.

        Args:
            files: whether --save or --plot is given.

        Raises:
            InputError: if an option lacks the one that it goes with.
        """
        if self.pipeline and not self.backend:
            raise InputError(
                f"pipeline '{self.pipeline}': lowers circuits, which only --backend runs"
            )
        if (self.tag or self.max_cost) and not self.queue:
            raise InputError("--tag and --max-cost are for --queue: say that, too")
        if self.queue and (files or not self.backend or "," in self.backend):
            raise InputError(
                "--queue: give one --backend, and leave out --save and --plot: 'stichwerk result' "
                "writes both once the job is done"
            )


running_options = shared_options("running", Running)
