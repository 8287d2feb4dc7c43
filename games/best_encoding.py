"""Compiling a game in its best encoding, as one function."""

from collections.abc import Sequence
from functools import partial

from attrs import frozen
from qiskit.transpiler import Target

from compiler.compilation.calls import Each, Listener, in_order
from compiler.compilation.options import Options
from compiler.compilation.plan import Plan
from compiler.compilation.portfolio import Compiled, carried_out
from compiler.compilation.task import Clock, no_clock
from games.contest import Contest, Made, Tried
from games.encoding import encoded
from games.game import Game


@frozen(eq=False)
class BestEncoding:
    """A game in the encoding that won.

    Args:
        compiled: the winner; its program says which encoding that is.
        encodings: all that support the game, its default first.
    """

    compiled: Compiled
    encodings: Sequence[Tried]


def compile_best(
    game: Game,
    target: str | Target = "all",
    options: Options | None = None,
    *,
    each: Each = in_order,
    clock: Clock = no_clock,
    listener: Listener | None = None,
) -> BestEncoding:
    """Compile a game in whichever of its encodings is best by the objective.

    Args:
        game: the rules.
        target: a spec such as `heavy-hex:torino`, or a target of Qiskit's. One without a size,
            such as `star`, is for each encoding as large as that.
        options: how; by default everything is tried.
        each: makes the attempts; by default one after the other in this process.
        clock: measures how long passes take, such as `time.perf_counter`.
        listener: hears of what is compiled in full.

    Raises:
        InputError: if no encoding supports the game, or fits.
        LoweringError: if none gets through any pipeline.
        VerificationError: if all that get through are proven wrong.
    """

    def carry_out(planned: Plan) -> Made[Compiled]:
        done = carried_out(planned, each=each, clock=clock, listener=listener)
        return Made(done, done.verified, done.figures)

    contest = Contest(
        game, partial(encoded, game), target, options or Options(), each, clock, lambda: False
    )
    return BestEncoding(*contest.won(carry_out))
