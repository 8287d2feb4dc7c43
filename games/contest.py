"""Choice of a game's best encoding: all are tried, and hopeless ones are dropped early."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import define, evolve, field, frozen
from qiskit.transpiler import Target

from compiler.compilation.attempts import NOT_BEGUN
from compiler.compilation.candidate import Candidate, lower
from compiler.compilation.listener import Listener
from compiler.compilation.options import Options
from compiler.compilation.plan import Plan, plan
from compiler.compilation.portfolio import Compiled, carry_out, choose
from compiler.compilation.size import size_up_to
from compiler.dynamic.pieces import final_part, unconditional
from compiler.errors import InputError, LoweringError, StichwerkError, VerificationError
from compiler.lowering.draft import Clock
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import Attempt, best, ranked
from compiler.program import Program
from compiler.targets.device import carried_target
from compiler.verification.program import Verdict
from games.encoding import DEFAULT_ENCODING, encoded, encodings_of
from games.game import Game

HOPELESS = 5
"""Times the size of the smallest program beyond which an encoding is not even tried: optimisation
and routing change two sizes alike, give or take less than that."""

CLOSE = 1.5
"""Times the two-qubit gates of the leader's quick attempt up to which the next one may yet win:
on lattices, a quick attempt takes up to half more of them than a whole portfolio."""


@frozen
class Tried:
    """The result of trying an encoding.

    Args:
        name: name of the encoding.
        two_qubit_gates: of its circuit, or of its quick attempt if it came no further; None if
            there is neither.
        left_out: why it was not chosen; `""` for the winner.
    """

    name: str
    two_qubit_gates: int | None
    left_out: str


@frozen(eq=False)
class BestEncoding:
    """A game in the encoding that won.

    Args:
        compiled: the winner; its program says which encoding that is.
        encodings: all that support the game, its default first.
    """

    compiled: Compiled
    encodings: Sequence[Tried]


@frozen(eq=False)
class Entrant:
    """An encoding that fits.

    Args:
        plan: plan of the whole compilation.
        quick: attempts of the method `fast`.
        size: number of CX before lowering, at least 1; a lower bound if it exceeds `Entry.most`.
    """

    plan: Plan
    quick: Sequence[Attempt]
    size: int


Entry = tuple[Callable[[str], Program], str, str | Target, Options, int]
"""A function that returns the game in an encoding, the name of the encoding, the target, the
options, and the size beyond which the encoding is hopeless: a call that any process can make."""


def enter(entry: Entry) -> Entrant | StichwerkError:
    """Plan an encoding, or say why that is not possible."""
    build, encoding, target, options, most = entry
    try:
        program = build(encoding)
        planned = plan(program, target, options)
        program = planned.program
        quick = plan(program, planned.target, evolve(options, method="fast"))
        synthesis = planned.attempts[0].synthesis
        gates = unconditional(final_part(program.circuit)[0])
        size = max(1, size_up_to(gates, synthesis, most))
    except StichwerkError as error:
        return error
    except Exception as error:  # noqa: BLE001 - an encoding of a plugin may raise anything
        return LoweringError(" ".join(str(error).split()) or type(error).__name__)
    return Entrant(
        planned, [evolve(attempt, synthesis=synthesis) for attempt in quick.attempts], size
    )


def compile_best(
    game: Game,
    target: str | Target = "all",
    options: Options | None = None,
    listener: Listener | None = None,
    *,
    program: Callable[[str], Program] | None = None,
    run: Callable[[Plan], Compiled] | None = None,
) -> BestEncoding:
    """Compile a game in its best encoding by the objective.

    Args:
        game: the rules.
        target: a spec such as `heavy-hex:boston`, or a Qiskit target. A target without a size,
            such as `star`, takes the size of each encoding.
        options: compiler options; by default every encoding is tried.
        listener: see `compiler.compilation.compile`; it is notified of full compilations.
        program: returns the game in an encoding; a function that other processes can import.
        run: runs a plan in full, or raises `LoweringError` or `VerificationError`.

    Raises:
        InputError: if no encoding supports the game, or fits.
        LoweringError: if none gets through any pipeline.
        VerificationError: if all that get through are proven wrong.
    """
    listener = listener or Listener()
    return _Contest(
        game,
        program or partial(encoded, game),
        target,
        options or Options(),
        listener,
        run or (lambda plan: carry_out(plan, listener)),
    ).winner()


@define(eq=False)
class _Contest:
    """The encodings of a game on one target; for the fields see `compile_best`."""

    game: Game
    program: Callable[[str], Program]
    target: str | Target
    options: Options
    listener: Listener
    run: Callable[[Plan], Compiled]
    _tried: dict[str, Tried] = field(factory=dict, init=False)
    _failed: dict[str, StichwerkError] = field(factory=dict, init=False)

    def winner(self) -> BestEncoding:
        """Compile the one or two most promising encodings in full, and return the better.

        Should these fail, the next ones take their place.
        """
        names = encodings_of(self.game) or (DEFAULT_ENCODING,)
        left = self._entrants(names)
        while left:
            compiled: dict[str, Compiled] = {}
            for name in self._finalists(left):
                if compiled and self.listener.late():
                    self._tried[name] = Tried(name, None, NOT_BEGUN)
                    continue
                try:
                    compiled[name] = self.run(left[name].plan)
                except (LoweringError, VerificationError) as error:
                    self._fail(name, error)
            if compiled:
                return BestEncoding(self._best(compiled), [self._tried[name] for name in names])
            left = {name: entrant for name, entrant in left.items() if name not in self._failed}
        raise none_of(self.game.name, self._failed)

    def _fail(self, name: str, error: StichwerkError) -> None:
        self._failed[name] = error
        self._tried[name] = Tried(name, None, str(error))

    def _entrants(self, names: Sequence[str]) -> dict[str, Entrant]:
        """Return the encodings that fit."""
        result: dict[str, Entrant] = {}
        for name in names:
            most = HOPELESS * min((each.size for each in result.values()), default=sys.maxsize)
            entry = (self.program, name, carried_target(self.target), self.options, most)
            ((_, entrant),) = self.listener.each(enter, [entry])
            if isinstance(entrant, Entrant):
                result[name] = entrant
            else:
                self._fail(name, entrant)
        return result

    def _finalists(self, left: Mapping[str, Entrant]) -> list[str]:
        """Return the one or two that are to be compiled in full, the more promising first."""
        smallest = min(left, key=lambda name: left[name].size)
        near = {}
        for name, entrant in left.items():
            if entrant.size <= HOPELESS * left[smallest].size:
                near[name] = entrant
            else:
                large = f"more than {HOPELESS} times the size of {smallest} before lowering"
                self._tried[name] = Tried(name, None, large)
        if len(near) == 1:
            return list(near)
        quick = self._quick(near)
        order = ranked([(name, quick[name]) for name in quick], self.options.objective)
        if not order:
            return []
        close = CLOSE * quick[order[0]].two_qubit_gates
        ahead = order[:1] + [name for name in order[1:2] if quick[name].two_qubit_gates <= close]
        for name in order[len(ahead) :]:
            reason = f"behind {' and '.join(ahead)} after a quick attempt"
            self._tried[name] = Tried(name, quick[name].two_qubit_gates, reason)
        return ahead

    def _quick(self, near: Mapping[str, Entrant]) -> dict[str, Figures]:
        """Return the figures that quick attempts come to, all made side by side."""
        plans = [
            (name, entrant.plan, attempt)
            for name, entrant in near.items()
            for attempt in entrant.quick
        ]
        calls = [(planned, self.listener.clock, attempt) for _, planned, attempt in plans]
        natives = dict(self.listener.each(_lower, calls, self.listener.late))
        result: dict[str, Figures] = {}
        for name in near:
            places = [place for place, (of, _, _) in enumerate(plans) if of == name]
            each = [natives[place] for place in places if place in natives]
            figures = [
                (quick.figures, quick.figures) for quick in each if quick.figures is not None
            ]
            if figures:
                result[name] = best(figures, self.options.objective)
            else:
                self._fail(name, LoweringError(each[0].error if each else NOT_BEGUN))
        return result

    def _best(self, compiled: Mapping[str, Compiled]) -> Compiled:
        """Return the best result: proven before unproven, then by the objective."""
        candidates = [
            (name, Verdict(result.verified, ""), result.figures)
            for name, result in compiled.items()
        ]
        winner = choose(candidates, self.options.objective)
        assert winner is not None
        proof = compiled[winner].verified
        for name, result in compiled.items():
            reason = "" if name == winner else f"behind {winner}"
            if result.verified != proof:
                reason += f", which is proven {proof}, and this one {result.verified}"
            self._tried[name] = Tried(name, result.figures.two_qubit_gates, reason)
        return compiled[winner]


def _lower(call: tuple[Plan, Clock, Attempt]) -> Candidate:
    return lower(*call)


def none_of(game: str, failed: Mapping[str, StichwerkError]) -> StichwerkError:
    """Return the error for a game whose encodings all fail to compile.

    Args:
        game: name of the game.
        failed: the error of each encoding by name; at least one.
    """
    errors = list(failed.values())
    if len({str(error) for error in errors}) == 1:
        return errors[0]
    kind: type[StichwerkError] = LoweringError
    if all(isinstance(error, InputError) for error in errors):
        kind = InputError
    elif any(isinstance(error, VerificationError) for error in errors):
        kind = VerificationError
    reasons = "; ".join(f"{name}: {error}" for name, error in failed.items())
    return kind(f"{game}: no encoding can be compiled: {reasons}")
