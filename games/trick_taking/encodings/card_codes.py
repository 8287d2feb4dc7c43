"""Cards as numbers: a lane for the strength, and above it a class."""

from attrs import frozen

from games.trick_taking.game import TrickTakingGame


@frozen
class CardCodes:
    """Codes of the cards of a deck.

    The lane is the rank's place among the deck's ranks, jacks suit by suit before the others
    where they are trumps. So within a class the lower lane is the stronger card, and the lane
    alone determines a card's points. Where all cards are one class, the lane is the place in it.

    Args:
        codes: of each card of the deck: lane + class · 2^lane_bits, trumps being class 0.
        lane_bits: bits of a lane.
        class_bits: bits of a class.
        trumps: whether class 0 beats the other classes.
        points: points of a card of each lane.
    """

    codes: tuple[int, ...]
    lane_bits: int
    class_bits: int
    trumps: bool
    points: tuple[int, ...]

    @property
    def width(self) -> int:
        """Bits of a code."""
        return self.lane_bits + self.class_bits


def card_codes(game: TrickTakingGame) -> CardCodes:
    """Return the codes of a game's deck."""
    present = [name for name in game.rules.classes if name in game.card_classes]
    trumps = "T" in game.rules.classes
    if trumps and "T" not in present:
        present = ["T", *present]
    one_class = len(present) == 1
    ranks = [
        (0, game.lanes[i]) if one_class else game.rules.weakness(card)
        for i, card in enumerate(game.deck)
    ]
    scale = sorted(set(ranks))
    lanes = [scale.index(rank) for rank in ranks]
    lane_bits = max(1, (len(scale) - 1).bit_length())
    class_bits = 0 if one_class else (len(present) - 1).bit_length()
    points = dict(zip(lanes, game.points_of, strict=True))
    return CardCodes(
        codes=tuple(
            lane | present.index(name) << lane_bits
            for lane, name in zip(lanes, game.card_classes, strict=True)
        ),
        lane_bits=lane_bits,
        class_bits=class_bits,
        trumps=trumps and class_bits > 0,
        points=tuple(points[lane] for lane in range(len(scale))),
    )
