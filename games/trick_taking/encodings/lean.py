"""The papers' toy game: the deal, the first card of each seat, and the winner of each trick."""

from functools import lru_cache

from qiskit import QuantumCircuit

from compiler.readouts import FewReadouts, fewest_readouts
from games.encoding import Encoding, encoded, encoding, measure_registers, with_registers
from games.trick_taking.encodings.list_dealing import deal_plan
from games.trick_taking.encodings.orders import Orders
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.ranks import CARDS, RankPlay, RankTrick, cards_played
from games.trick_taking.operators.uniform_deal import UniformDeal
from games.trick_taking.rules.setup import Deal, Play, Trick

ROLES = ("holder", "other")


class Ranks(Encoding[TrickTakingGame]):
    """One owner bit per card, one rank bit per seat, one comparison bit per trick.

    Registers, all of them measured, in this order: `dealt` (4, as dealt; nothing changes them),
    `rank` (2) and `taken` (2); see `RankTrick` for the meaning of the bits. Eight qubits,
    two-qubit gates after the deal: 9.

    Ranks and comparisons are relative to the *holder*, the seat that was dealt the strongest
    card, which `owner[0]` names. This is exact because in paper rules no seat reacts to another
    seat's card. In each trick the plays of the two seats commute, so their order does not matter,
    and both choices are uniform. The absolute winner of trick k is owner[0] ⊕ taken[k].

    The second trick includes the operators of its forced plays. They are free, because a rank
    names the last card as well as the first.
    """

    family = TrickTakingGame
    judges = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Whole games in paper rules, two players, two cards each, no skat; cards may be known."""
        fresh = not (game.table or game.taken or game.class_counts) and game.first_card is None
        shape = (game.rules.name, game.players, game.hand, game.skat)
        return fresh and shape == ("paper", 2, 2, 0)

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        circuit = with_registers(game.name, {"dealt": CARDS, "rank": 2, "taken": 2})
        owner, rank, _ = circuit.qregs
        for step in game.steps():
            match step:
                case Deal():
                    circuit.append(UniformDeal(game.hands, game.known), owner)
                case Play(seat=place, hand=hand):
                    play = RankPlay(hand)
                    play.label = f"CP{hand} {ROLES[place]}"
                    circuit.append(play, [rank[place]])
                case Trick(trick=trick):
                    circuit.append(RankTrick(trick), circuit.qubits)
        return measure_registers(circuit)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners at the end, None if the bits contradict the deal or each other.

        Args:
            game: the game that was played.
            measured: bits 0 to 3 `owner`, 4 and 5 `rank`, 6 and 7 `taken`.
        """
        bits = [measured >> i & 1 for i in range(CARDS + 4)]
        owners, rank, taken = bits[:CARDS], bits[CARDS : CARDS + 2], bits[CARDS + 2 :]
        dealt = zip(game.known, owners, strict=True)
        if sum(owners) != 2 or any(expected not in (None, owner) for expected, owner in dealt):
            return None
        final = list(owners)
        for trick in range(2):
            holders, others = cards_played(owners, rank, trick)
            if taken[trick] != (others < holders):
                return None
            final[holders] = final[others] = owners[0] ^ taken[trick]
        return game.outcome(tuple(final))


MAX_STATES = 50_000
"""Maximum number of states of games whose circuits are simulated to choose the readout."""


class Choices(Encoding[TrickTakingGame]):
    """The game of `lists` up to its last choice; the rest follows from the choices.

    The measurement reads the few qubits that determine the owners at the end. These are usually
    the ones that store the deal and the choices among legal cards. The judge takes the tricks
    that no seat can influence any more, and knows the outcome of every state. A choice on which
    no outcome depends is left out. Raw counts suffer from fewer errors than those of `lists`.
    But fewer errors are detected, and noise alone scores higher.
    """

    family = TrickTakingGame
    judges = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in which suit is followed, with few enough states."""
        few = game.follows_suit and game.most_states() <= MAX_STATES
        return few and deal_plan(game) is not None

    def simulated(self, game: TrickTakingGame) -> bool:
        """Return True: a simulation of `lists` decides the omitted gates."""
        return True

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return _read(game).circuit.copy()

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners of measured bits; see `Encoding`."""
        return _read(game).outcomes.get(measured)


@lru_cache(maxsize=16)
def _read(game: TrickTakingGame) -> FewReadouts:
    program = encoded(game, "lists")
    return fewest_readouts(program.circuit, program.outcome)


WAYS: tuple[Encoding[TrickTakingGame], ...] = (Ranks(), Orders(), Choices())
"""Encodings in order; the first one that supports a game is used."""


@encoding("lean")
class LeanEncoding(Encoding[TrickTakingGame]):
    """The fewest two-qubit gates of all encodings, for games of up to nine cards and some larger.

    - `Ranks`, the papers' toy: the deal, each seat's first card, and the winner of each trick.
    - `Orders`, all other games in paper rules: the deal, and each seat's order of play.
      No seat reacts to another one there, so the judge takes the tricks.
    - `Choices`, games in which suit is followed: as much of `lists` as the outcome needs.
    """

    place = 2
    family = TrickTakingGame
    judges = True
    small = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Return True in paper rules up to nine cards, or if there are few enough states."""
        return any(way.supports(game) for way in WAYS)

    def simulated(self, game: TrickTakingGame) -> bool:
        """Return whether suit is followed; see `Encoding`."""
        return _way(game).simulated(game)

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return _way(game).program(game)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners of measured bits; see `Encoding`."""
        return _way(game).outcome(game, measured)


def _way(game: TrickTakingGame) -> Encoding[TrickTakingGame]:
    return next(way for way in WAYS if way.supports(game))
