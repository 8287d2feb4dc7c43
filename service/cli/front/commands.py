"""Table of all commands; a command is imported when it is called, not when it is listed.

A new command is a function with Typer parameters in a module below `service.cli`, and one entry
here.
"""

import re
from collections.abc import Mapping
from pathlib import Path

PANELS: Mapping[str, Mapping[str, str]] = {
    "Compile": {
        "compile": "compiling.command:compile_command",
        "targets": "targets:targets_command",
        "costs": "costs:costs_command",
    },
    "Run": {
        "run": "run:run_command",
        "backends": "targets:backends_command",
        "estimate": "estimate.command:estimate_command",
    },
    "Queue": {
        "submit": "queue.submit:submit_command",
        "jobs": "queue.jobs:jobs_command",
        "job": "queue.jobs:job_command",
        "result": "queue.result:result_command",
        "cancel": "queue.changes:cancel_command",
        "retry": "queue.changes:retry_command",
        "rescore": "queue.changes:rescore_command",
        "campaign": "queue.submit:campaign_command",
    },
    "Benchmarks": {
        "bench": "bench:bench",
        "score": "score.command:score_command",
        "report": "report:report_command",
        "gates check": "gates.command:check_command",
        "gates update": "gates.command:update_command",
        "peers": "peers.command:peers_command",
        "fidelity": "fidelity.command:fidelity_command",
        "scaling": "scaling.command:scaling_command",
        "crossover": "crossover.command:crossover_command",
    },
    "Games and play": {
        "games": "games.listing:games_command",
        "new game": "games.new:new_game_command",
        "play": "play.command:play_command",
        "tournament": "play.tournament:tournament_command",
        "advise": "advise.command:advise_command",
        "train": "train.command:train_command",
        "skat bid": "games.skat:bid_command",
        "skat value": "games.skat:value_command",
        "skat records": "games.skat:records_command",
        "endless evaluate": "games.endless_fun:evaluate_command",
        "qudits export": "games.endless_fun:export_command",
    },
    "Operate": {
        "up": "servers.up:up_command",
        "worker": "servers.worker:worker_command",
        "serve": "servers.serve:serve_command",
        "status": "queue.status:status_command",
        "token create": "administration:create_command",
        "token list": "administration:list_command",
        "token revoke": "administration:revoke_command",
        "migrate": "administration:migrate_command",
        "backup": "administration:backup_command",
        "restored": "administration:restored_command",
        "records prune": "records.command:prune_command",
        "records export": "records.command:export_command",
        "records import": "records.command:import_command",
        "replay": "records.command:replay_command",
        "schema": "front.schema:schema_command",
    },
}
"""`module:function` of each command by its words, by the panel of `--help` that lists it."""

GROUPS: Mapping[str, str] = {
    "gates": "Check gate counts against the committed baseline.",
    "new": "Write the file of a game of your own.",
    "skat": "Skat: advise on bids, compute game values, check recorded games.",
    "endless": "Endless Fun: compute a round's end state and winning probabilities.",
    "qudits": "Endless Fun on qudits: export for MQT Qudits.",
    "token": "Create, list and revoke tokens of the HTTP API.",
    "records": "Prune, export and import records.",
}
"""Summaries of the commands of two words, by the first one."""

COMMANDS = {words: place for commands in PANELS.values() for words, place in commands.items()}
"""`module:function` of each command by its words."""


def summary(place: str) -> str:
    """Return the first line of a command's docstring, from the source of its module.

    Args:
        place: `module:function`, below `service.cli`.
    """
    module, _, function = place.partition(":")
    source = Path(__file__).parents[1] / f"{module.replace('.', '/')}.py"
    declared = rf'^def {function}\(.*?\) -> [^\n]*:[^\n]*\n    """([^\n]+?)(?:"""|$)'
    match = re.search(declared, source.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert match is not None, f"the command {place} has no docstring"
    return match[1]
