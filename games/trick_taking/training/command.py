"""The command `train`."""

from typing import Annotated

from attrs import evolve

from compiler.errors import InputError
from compiler.near_misses import meant
from games.commands import Answer, Asked, Means, Run
from games.game import Game
from games.trick_taking.rules.names import SEATS, seat_of
from games.trick_taking.training.document import document, panels
from games.trick_taking.training.learning import learn_equilibrium, learn_response
from games.trick_taking.training.on_backends.asking import hand_over, train_on
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.training.picture import picture
from games.trick_taking.training.result import (
    BEST_RESPONSE,
    OBJECTIVES,
    Training,
    to_save,
)
from games.trick_taking.training.tree import tree_of
from games.trick_taking.weighted.game import WeightedGame, start_of
from games.trick_taking.weighted.toml import weighted_toml
from games.trick_taking.weighted.unweighted import unweighted

WEIGHTS = "[[weights]]"
"""How a file says that some weights are not equal."""
MOST_STEPS = 20_000
STEPS, MEASURED_STEPS = 300, 15
MOST_SHOTS = 1_000_000
MOST_SEED = 2**31 - 1


def train_command(
    *,
    game: Annotated[
        Game,
        Asked(
            "The file of a trick-taking game, or a name such as skat-9; its lead is free. A file "
            "with weights, as --save writes it, is gone on with.",
            "GAME",
        ),
    ],
    seat: Annotated[
        str,
        Asked("Who learns; of an equilibrium, whose weights are shown. Or 0, 1 or 2.", "A|B|C"),
    ] = "A",
    objective: Annotated[
        str,
        Asked(
            "best-response: one seat learns against the others' weights, equal ones if the file "
            "says none; "
            "equilibrium: all learn in turn.",
            "|".join(OBJECTIVES),
        ),
    ] = BEST_RESPONSE,
    steps: Annotated[
        int,
        Asked(
            f"Of the training; 0 for {STEPS}, on backends {MEASURED_STEPS}.",
            least=0,
            most=MOST_STEPS,
        ),
    ] = 0,
    backend: Annotated[
        str,
        Asked(
            "Measure P(win) and its gradients on circuits here; several backends with commas "
            "between them train one after the other. See 'stichwerk backends'."
        ),
    ] = "",
    shots: Annotated[
        int, Asked("Of each circuit that is measured.", least=1, most=MOST_SHOTS)
    ] = 1000,
    pipeline: Annotated[
        str,
        Asked(
            "Lower these circuits by it alone, such as the quick window-qiskit; by default as "
            "'stichwerk compile --method fast' does."
        ),
    ] = "",
    queue: Annotated[
        bool,
        Asked(
            "Hand the training to the workers, for any one backend: a job whose rounds are jobs."
        ),
    ] = False,
    tag: Annotated[str, Asked("With --queue, of all its jobs.")] = "",
    max_cost: Annotated[
        str, Asked("With --queue, what all its jobs may cost together.", "AMOUNT")
    ] = "",
    save: Annotated[
        str,
        Asked(
            "Where the game with the trained weights is written, for 'stichwerk compile' and "
            "'stichwerk run'; weights of a best response that win nothing are left equal.",
            "FILE.toml",
            suffixes=(".toml",),
        ),
    ] = "",
    seed: Annotated[
        int,
        Asked(
            "Of the weights that it begins with, or of what is measured.", least=0, most=MOST_SEED
        ),
    ] = 0,
    means: Means,
) -> Answer:
    """Train the weights of card plays: a best response of one seat, or an equilibrium.

    Every legal card has a probability in everything its seat can see: its hand and the cards
    played so far. What the game's file says is known to all seats. P(win) and its slopes are exact,
    or with --backend measured on circuits, by the parameter-shift rule.

    Examples:
    - `stichwerk train skat-9 --plot training.png`

    - `stichwerk train skat-9 --objective equilibrium`

    - `stichwerk train skat-4 --seat B --steps 1000 --json`

    - `stichwerk train skat-4 --seat B --backend sparse,aer:torino --save trained.toml`

    - `stichwerk train skat-4 --objective equilibrium --backend sparse --plot measured.png`

    - `stichwerk train trained.toml --seat A --save answered.toml`

    - `stichwerk train skat-4 --seat B --backend ibm:torino --queue --max-cost 250USD`
    """
    rules = game.rules if isinstance(game, WeightedGame) else unweighted(game)
    start = start_of(game)
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, OBJECTIVES)}")
    who = seat_of(seat, rules.players)
    if who is None:
        raise InputError(f"seat {seat}: {game.name} has seats A to {SEATS[rules.players - 1]}")
    if pipeline and not backend:
        raise InputError(f"pipeline '{pipeline}': lowers circuits, which only --backend runs")
    _check_queue(means, backend, queue=queue, saved=bool(save), named=bool(tag or max_cost))
    tree = tree_of(rules)
    name = f"{game.name.removesuffix('.toml')}.toml"
    run = Run(name, "", backend, shots, seed, tuple(pipeline.split()))
    if backend:
        steps = steps or MEASURED_STEPS
        wanted = Wanted(objective, who, steps, start)
        if queue:
            return hand_over(means, tree, wanted, run, tag=tag, max_cost=max_cost)
        training, answer = train_on(means, tree, wanted, run)
    else:
        steps = steps or STEPS
        if objective == BEST_RESPONSE:
            looks = learn_response(tree, who, steps, seed, means.say, start=start)
        else:
            looks = learn_equilibrium(tree, steps, seed, means.say, start=start)
        training = Training(tree, objective, who, steps, seed, looks, start)
        answer = Answer(
            panels(training), document(training), lambda figure: picture(training, figure)
        )
    if not save:
        return answer
    text = weighted_toml(tree, to_save(tree, objective, who, training.last.chances))
    if WEIGHTS not in text:
        means.say(f"{rules.name}: nothing was learned that wins more; all weights are equal")
    return evolve(answer, written={"save": text})


def _check_queue(means: Means, backend: str, *, queue: bool, saved: bool, named: bool) -> None:
    if named and not queue:
        raise InputError("--tag and --max-cost are for --queue: say that, too")
    if not queue:
        return
    if saved or means.pictured or not backend or "," in backend:
        raise InputError(
            "--queue: give one --backend, and leave out --save and --plot: 'stichwerk result' "
            "writes both once the job is done"
        )
    means.check(backend, True)
