"""What `stichwerk` alone answers: the things people do most, and where the rest is."""

START = """\
stichwerk compiles quantum games to real machines, and measures how well the machines play them.

  stichwerk games                       which games there are; with a name or file, one of them
  stichwerk advise my-game.toml         which card to play
  stichwerk skat bid --hand "CARDS"     how far to bid with ten cards of Skat
  stichwerk play six-nimmt              play against bots
  stichwerk compile skat-4 -t star      a circuit for a target, proven right
  stichwerk run skat-4 -b aer:torino    run it, and score what was measured

stichwerk --help lists all commands, stichwerk COMMAND --help tells one with examples.
Files of your own games: docs/programs.md."""
