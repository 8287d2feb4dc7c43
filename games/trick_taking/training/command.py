"""The command `train`."""

from typing import Annotated

from compiler.errors import InputError
from games.commands import Answer, Asked, Means
from games.game import Game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.training.document import document, panels
from games.trick_taking.training.learning import learn_equilibrium, learn_response
from games.trick_taking.training.picture import picture
from games.trick_taking.training.result import BEST_RESPONSE, OBJECTIVES, Training
from games.trick_taking.training.tree import tree_of

MOST_STEPS = 20_000
MOST_SEED = 2**31 - 1


def train_command(
    *,
    game: Annotated[
        Game,
        Asked(
            "The file of a trick-taking game, or a name such as skat-9; its lead is free.", "GAME"
        ),
    ],
    seat: Annotated[
        int, Asked("Who learns; of an equilibrium, whose weights are shown.", least=0, most=2)
    ] = 0,
    objective: Annotated[
        str,
        Asked(
            "best-response: one seat learns against others who play legal cards at random; "
            "equilibrium: all learn in turn.",
            "|".join(OBJECTIVES),
        ),
    ] = BEST_RESPONSE,
    steps: Annotated[int, Asked("Of the training.", least=1, most=MOST_STEPS)] = 300,
    seed: Annotated[int, Asked("Of the weights that it begins with.", least=0, most=MOST_SEED)] = 0,
    means: Means,
) -> Answer:
    """Train the weights of card plays: a best response of one seat, or an equilibrium.

    Every legal card has a probability in everything its seat can see: its hand and the cards
    played so far. What the game's file says is known to all seats. P(win) and its slopes are exact.

    Examples:
    - `stichwerk train skat-9 --plot training.png`

    - `stichwerk train skat-9 --objective equilibrium`

    - `stichwerk train skat-4 --seat 1 --steps 1000 --json`
    """
    if not isinstance(game, TrickTakingGame):
        raise InputError(f"{game.name}: no game of tricks; see 'stichwerk games'")
    if objective not in OBJECTIVES:
        raise InputError(f"objective '{objective}': take one of {', '.join(OBJECTIVES)}")
    if seat >= game.players:
        raise InputError(f"seat {seat}: {game.name} has seats 0 to {game.players - 1}")
    tree = tree_of(game)
    if objective == BEST_RESPONSE:
        looks = learn_response(tree, seat, steps, seed, means.say)
    else:
        looks = learn_equilibrium(tree, steps, seed, means.say)
    training = Training(tree, objective, seat, steps, seed, looks)
    return Answer(panels(training), document(training), lambda figure: picture(training, figure))
