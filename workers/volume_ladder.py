"""The ladder of games of the game volume."""

LADDER = (("skat-4", "lean"), ("skat-5", "lists"), ("skat-6", "lists"), ("skat-9", "lists"))
"""Games of ever more cards, each in one encoding: noise alone scores differently in another one,
where other bits are read, so that fidelities of several are not on one scale."""
