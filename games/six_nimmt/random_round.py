"""Rounds in which all players play at random, and the built-in one."""

from random import Random

from compiler.errors import GameError, naming
from games.game import game
from games.options import whole_number
from games.six_nimmt.game import SixNimmtRound
from games.six_nimmt.rules.cards import (
    FEWEST_PLAYERS,
    HAND,
    MAX_PLAYERS,
    Choice,
    Deck,
    Options,
    shuffled_deck,
)
from games.six_nimmt.rules.round import Round


def random_round(
    name: str,
    players: int,
    deck: Deck,
    random: Random,
    *,
    options: Options | None = None,
    turns: int = HAND,
) -> SixNimmtRound:
    """Return a round with random cards, operations and rows.

    Args:
        name: name of the game.
        players: number of players.
        deck: the deck.
        random: source of random numbers.
        options: options of the rules; None for the default.
        turns: number of turns.
    """
    options = options or Options()
    now = Round.start(players, options, deck)
    chosen: list[tuple[Choice, ...]] = []
    prompts: list[int] = []
    for _ in range(turns):
        chosen.append(
            tuple(
                Choice(random.choice(hand), random.choice(now.operations(seat)))
                for seat, hand in enumerate(now.hands)
            )
        )
        now = now.chosen(chosen[-1])
        while now.waiting:
            row = None
            if now.prompt is not None:
                row = random.choice(now.prompt.rows)
                prompts.append(row)
            now, _ = now.handled(row)
    return SixNimmtRound(name, players, deck, tuple(chosen), tuple(prompts), options)


@game("six-nimmt")
def six_nimmt(players: str = "3", seed: str = "1") -> SixNimmtRound:
    """Return a round in which all players play at random.

    Args:
        players: `six-nimmt:4` is a round of four players.
        seed: `six-nimmt:4:7` is another one of them.

    Raises:
        GameError: if these are no numbers, or the number of players is invalid.
    """
    count, seeded = (
        int(word) if word.isascii() and word.isdigit() and len(word) < 19 else None
        for word in (players, seed)
    )
    name = f"six-nimmt:{players}:{seed}"
    with naming(name):
        if seeded is None:
            raise GameError(f"seed '{seed}' must be a whole number of at most 18 digits")
        wanted = players if count is None else count
        count = whole_number("players", wanted, FEWEST_PLAYERS, MAX_PLAYERS)
    name = "six-nimmt" if (players, seed) == ("3", "1") else name
    random = Random(f"six-nimmt choices {seed}")
    return random_round(name, count, shuffled_deck(seeded, 0), random)
