"""The games that the cost table lists."""

from games.cost_table import listed

# The only one whose literal construction is small enough to be counted in a moment.
listed.register("skat-4")(("paper",))
for _spec in (
    "skat-9:paper",
    "skat-9",
    "skat-32:paper",
    "skat-32:known",
    "skat-32",
    "skat-32:grand",
    "skat-32:null",
):
    listed.register(_spec)(())
