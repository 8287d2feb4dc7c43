"""The encoding of weighted card plays: who was dealt what, and which legal card each play chose."""

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.synthesis.operator import Operator
from games.encoding import Encoding, encoding
from games.trick_taking.operators.uniform_deal import UniformDeal
from games.trick_taking.operators.weighted_play import WeightedPlay
from games.trick_taking.rules.steps import seat_name
from games.trick_taking.weighted.game import WeightedGame
from games.trick_taking.weighted.layout import Layout, layout_of

MOST_SEEN = 512
"""Values that the bits before a play may have."""


@encoding("card-choices")
class CardChoices(Encoding[WeightedGame]):
    """The deal, and for every play that is not forced the place of its card among the legal ones.

    Registers, all measured but `work`: `dealt` (n·b, as dealt, or with class counts the number of
    the deal; nothing changes it), `play_1` … (see `games.trick_taking.weighted.layout`), and
    `work` (clean ancillas of the deal). A play is controlled by what was dealt and played before
    it, and its probabilities are the same wherever its seat cannot tell the difference. Who takes
    a trick follows from what is measured, so no operator compares cards.
    """

    family = WeightedGame
    judges = True
    small = True

    def supports(self, game: WeightedGame) -> bool:
        """Whole games; cards and class counts may be known."""
        rules, layout = game.rules, layout_of(game.tree)
        if rules.table or rules.taken or (layout.numbered and game.tree.deals > MOST_SEEN):
            return False
        return all(len(turn.sets) <= MOST_SEEN for turn in layout.turns)

    def program(self, game: WeightedGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        layout = layout_of(game.tree)
        deal, ancillas = _deal(game, layout)
        dealt = QuantumRegister(layout.dealt, "dealt")
        plays = [QuantumRegister(turn.bits, f"play_{turn.level + 1}") for turn in layout.turns]
        work = QuantumRegister(ancillas, "work")
        measured = [dealt, *plays]
        bits = [ClassicalRegister(register.size, register.name) for register in measured]
        circuit = QuantumCircuit(*measured, *([work] if work.size else []), *bits, name=game.name)
        circuit.append(deal, [*dealt, *work])
        before = [*dealt]
        for turn, register in zip(layout.turns, plays, strict=True):
            play = WeightedPlay(turn.first, turn.bits, layout.table(turn, game.chances))
            seats = {game.tree.information[one].seat for one in turn.sets.values()}
            play.label = "CP(w) " + "/".join(map(seat_name, sorted(seats)))
            circuit.append(play, [*before, *register])
            before += register
        for register, outcome in zip(measured, bits, strict=True):
            circuit.measure(register, outcome)
        return circuit

    def outcome(self, game: WeightedGame, measured: int) -> int | None:
        """Return the owners at the end of the game that was measured, None if it is illegal."""
        layout = layout_of(game.tree)
        end = layout.ends.get(measured)
        return None if end is None else layout.tree.outcomes[end]


def _deal(game: WeightedGame, layout: Layout) -> tuple[Operator, int]:
    """Return what prepares all deals, equally likely, and how many clean ancillas it takes."""
    if not layout.numbered:
        deal = UniformDeal(game.rules.hands, game.rules.known)
        return deal, deal.ancillas
    deals = game.tree.deals
    number = WeightedPlay(0, layout.dealt, {0: (1 / deals,) * deals})
    number.label = f"one of {deals} deals"
    return number, 0
