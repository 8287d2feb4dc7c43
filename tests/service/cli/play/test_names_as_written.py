"""Names with colons are shown as they are: no word between colons becomes a picture."""

from fractions import Fraction

from games.playing.panels import Bars, Grid, Lines
from service.cli.output.printing import print_table
from service.cli.play.screen import drawn

NAME = "endless-fun:three: won"


def test_panels_show_colons_as_they_are():
    panels = [
        Lines(NAME, [NAME]),
        Bars(NAME, [(NAME, Fraction(1, 2))]),
        Grid(NAME, (NAME, NAME), []),
    ]
    assert drawn(panels, 200, colour=False).count(NAME) == 7


def test_tables_show_colons_as_they_are(capsys):
    print_table(NAME, (NAME,), [[NAME]])
    assert capsys.readouterr().out.count(NAME) == 3
