"""Small cases of comparisons."""

from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import Case

QFT = Case("circuits", Subject(Kind.CIRCUIT, "qft:5"), Form.GIVEN, "star:5")
TOY = Case("games", Subject(Kind.GAME, "skat-4", "lean"), Form.LOGICAL, "star:8")
DEAL = Case("operators", Subject(Kind.OPERATOR, "D(4,2)"), Form.LITERAL, "heavy-hex:torino")
