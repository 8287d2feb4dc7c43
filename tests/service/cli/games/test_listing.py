"""The list of games takes no more of the program than it needs."""

import json
import subprocess
import sys
from pathlib import Path

from service.cli.games.listing import game_list

HEAVY = {"games", "numba", "pytket", "qiskit", "qiskit_aer", "scipy.optimize", "scipy.stats",
         "sqlalchemy"}  # fmt: skip


def test_the_list_imports_what_programs_need():
    """Neither searches nor statistics nor records."""
    code = (
        "import sys\nfrom service.cli import main\n"
        "try:\n    main()\nfinally:\n"
        f"    print(*sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)"
    )
    listed = subprocess.run(
        [sys.executable, "-c", code, "games", "--json"],
        cwd=Path(__file__).parents[4], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(listed.stdout) == game_list().model_dump(mode="json")
    assert listed.stderr.split() == ["games", "qiskit"]
