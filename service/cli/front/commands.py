"""Table of all commands; a command is imported when it is called, not when it is listed.

A new command is a function `module:function` and one entry here: its panel of `--help`, its name,
its place and the first line of its docstring.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Command(NamedTuple):
    """A command that has not been imported.

    Args:
        place: `module:function`.
        summary: the first line of the function's docstring.
    """

    place: str
    summary: str


class Group(NamedTuple):
    """Commands under one name.

    Args:
        summary: the first line of its help.
        commands: by their second word.
    """

    summary: str
    commands: Mapping[str, Command]


PANELS: Mapping[str, Mapping[str, Command | Group]] = {
    "Compile": {
        "compile": Command(
            "service.cli.compiling.command:compile_command",
            "Lower a program to a target's native gates, prove the result right, and record it.",
        ),
        "targets": Command(
            "service.cli.targets:targets_command",
            "List the targets that circuits can be lowered to, or show one, also that of a file.",
        ),
        "costs": Command(
            "service.cli.costs:costs_command",
            "Compare synthesis methods by operator, short chains by target, and encodings by game.",
        ),
        "gates": Group(
            "Check gate counts against the committed baseline.",
            {
                "check": Command(
                    "service.cli.gates.command:check_command",
                    "Compile a suite and compare its gate counts with the committed ones.",
                ),
                "update": Command(
                    "service.cli.gates.command:update_command",
                    "Compile a suite and write its gate counts down, better or worse; say what has "
                    "changed.",
                ),
            },
        ),
    },
    "Run": {
        "run": Command(
            "service.cli.run:run_command",
            "Compile a program, run it on a backend, and score what it measured.",
        ),
        "backends": Command(
            "service.cli.targets:backends_command", "List the backends that circuits can run on."
        ),
        "estimate": Command(
            "service.cli.estimate.command:estimate_command",
            "Estimate the probability of a game's event, or an expected value, by amplitude "
            "estimation.",
        ),
        "report": Command(
            "service.cli.report:report_command",
            "Write an interactive HTML page of what was recorded: one file, which works offline.",
        ),
    },
    "Queue": {
        "submit": Command(
            "service.cli.queue.submit:submit_command",
            "Record a job, or a suite of jobs, for the workers, and return its number at once.",
        ),
        "jobs": Command("service.cli.queue.jobs:jobs_command", "List jobs, the newest first."),
        "job": Command(
            "service.cli.queue.jobs:job_command",
            "Show where a job is, what it has been through, and how long each stage took.",
        ),
        "result": Command(
            "service.cli.queue.result:result_command",
            "Write a job's counts and scores, what came of its jobs, or what its provider sent.",
        ),
        "cancel": Command(
            "service.cli.queue.changes:cancel_command",
            "Cancel jobs, also at their provider: those that are named, or all of a tag or state.",
        ),
        "retry": Command(
            "service.cli.queue.changes:retry_command",
            "Let jobs that have failed or were cancelled go on where they stopped.",
        ),
        "rescore": Command(
            "service.cli.queue.changes:rescore_command",
            "Compute scores again from the stored raw results, here and now.",
        ),
    },
    "Benchmarks": {
        "bench": Command(
            "service.cli.bench:bench",
            "Compile, verify, run, score and record a suite of programs, literally and at their "
            "best.",
        ),
        "score": Command(
            "service.cli.score.command:score_command",
            "Score a machine from 0, which is noise, to 1: games, an iterate, circuits that "
            "branch.",
        ),
        "campaign": Command(
            "service.cli.queue.campaign:campaign_command",
            "Hand the run of a campaign that is due to the workers: one job, whose parts are jobs.",
        ),
        "fidelity": Command(
            "service.cli.fidelity.command:fidelity_command",
            "Compile a game for devices, play it with their noise, and score it raw and mitigated.",
        ),
        "volume": Command(
            "service.cli.fidelity.volume:volume_command",
            "Play games of four to nine cards with the noise of devices: which is the largest it "
            "plays?",
        ),
        "scaling": Command(
            "service.cli.scaling.command:scaling_command",
            "Count two-qubit gates and seconds from 4 to 32 cards, and from 5 to 30 qubits.",
        ),
        "crossover": Command(
            "service.cli.crossover.command:crossover_command",
            "Say when a quantum machine would find P(win) of a game sooner than classical playouts "
            "do.",
        ),
        "peers": Command(
            "service.cli.peers.command:peers_command",
            "Compile the same programs with other compilers and ours, and prove all results.",
        ),
    },
    "Games and play": {
        "games": Command(
            "service.cli.games.command:games_command",
            "List the built-in games, or show one game and prove its program right.",
        ),
        "new": Group(
            "Write a file: of a game, by asking what it is.",
            {
                "game": Command(
                    "service.cli.games.new:new_game_command",
                    "Ask what game of Skat's rules it is, and write its file.",
                ),
            },
        ),
        "play": Command(
            "service.cli.play.command:play_command",
            "Play a game against bots in the terminal; without one, a line of input is a move.",
        ),
        "tournament": Command(
            "service.cli.play.tournament:tournament_command",
            "Let bots play against one another, and rate them.",
        ),
        "advise": Command(
            "service.cli.advise.command:advise_command",
            "Advise which card to play in a game of tricks: superposed, measured, and with open "
            "cards.",
        ),
        "train": Command(
            "service.cli.train.command:train_command",
            "Train the weights of card plays: a best response of one seat, or an equilibrium.",
        ),
        "skat": Group(
            "Advise on bids, compute the value of games of Skat, and check real ones.",
            {
                "bid": Command(
                    "service.cli.games.skat:bid_command",
                    "Advise up to which number a hand of Skat is worth bidding, and with which "
                    "contract.",
                ),
                "value": Command(
                    "service.cli.games.skat:value_command",
                    "Compute the value of a game of Skat, and the probability from which it is "
                    "worth playing.",
                ),
                "records": Command(
                    "service.cli.games.skat:records_command",
                    "Check real games of Skat by the rules, and compute the value of each.",
                ),
            },
        ),
        "endless": Group(
            "Work out rounds of Endless Fun exactly: end state, probabilities, winning state.",
            {
                "evaluate": Command(
                    "service.cli.games.endless_fun:evaluate_command",
                    "Work out a round: exact end state, who wins with what probability, and a "
                    "seeded draw.",
                ),
            },
        ),
        "qudits": Group(
            "Play rounds of Endless Fun on qubits and on qutrits, and export them for qudit "
            "machines.",
            {
                "compare": Command(
                    "service.cli.games.endless_fun:compare_command",
                    "Play rounds on qubits and on qutrits: gates between two, and fidelity at the "
                    "same error.",
                ),
                "export": Command(
                    "service.cli.games.endless_fun:export_command",
                    "Print a round in DITQASM 2.0, which MQT Qudits reads: qudits of the game's "
                    "own levels.",
                ),
            },
        ),
    },
    "Operate": {
        "up": Command(
            "service.cli.servers.up:up_command",
            "Start Redis, the HTTP API and the workers on this machine, until Ctrl-C.",
        ),
        "worker": Command(
            "service.cli.servers.worker:worker_command",
            "Start a worker: it takes queued jobs through their stages until it is stopped.",
        ),
        "serve": Command(
            "service.cli.servers.serve:serve_command",
            "Serve the HTTP API, described at /docs, and games, played at /play, until Ctrl-C.",
        ),
        "status": Command(
            "service.cli.queue.status:status_command",
            "Show whether the service can do its work: exit code 0 if it can, else 1.",
        ),
        "token": Group(
            "Create, list and revoke the tokens that open the HTTP API.",
            {
                "create": Command(
                    "service.cli.administration.token:create_command",
                    "Create a token and print it, once: only its SHA-256 is kept.",
                ),
                "list": Command(
                    "service.cli.administration.token:list_command",
                    "List the tokens by name, never the tokens themselves.",
                ),
                "revoke": Command(
                    "service.cli.administration.token:revoke_command",
                    "Let a token open nothing any more; its jobs go on.",
                ),
            },
        ),
        "migrate": Command(
            "service.cli.administration.database:migrate_command",
            "Bring the tables of the database up to date, and make them if there are none.",
        ),
        "backup": Command(
            "service.cli.administration.database:backup_command",
            "Copy records in SQLite to a file, as they are at one moment, while everything goes "
            "on.",
        ),
        "restored": Command(
            "service.cli.administration.database:restored_command",
            "Say that the records were restored from a backup, before any worker is started.",
        ),
        "records": Group(
            "Keep the database small, and give what it holds away.",
            {
                "prune": Command(
                    "service.cli.records.command:prune_command",
                    "Remove circuits that nothing points at, and those of candidates that have "
                    "lost.",
                ),
                "export": Command(
                    "service.cli.records.command:export_command",
                    "Write jobs as files into a folder: what was run, on what, what came of it.",
                ),
                "bundle": Command(
                    "service.cli.records.command:bundle_command",
                    "Write one file for a paper: circuits, counts, calibrations, versions, scores, "
                    "commands.",
                ),
            },
        ),
        "replay": Command(
            "service.cli.records.command:replay_command",
            "Check a bundle without a database: its circuits, its counts' scores, perhaps its "
            "runs.",
        ),
        "schema": Command(
            "service.cli.front.schema:schema_command",
            "Print the JSON Schema of what a command prints with --json, or list all that are "
            "published.",
        ),
    },
}
"""Commands by name, by the panel of `--help` that lists them."""


def places() -> dict[str, str]:
    """Return the place of each command, by all its words."""
    found = {}
    for commands in PANELS.values():
        for name, entry in commands.items():
            if isinstance(entry, Command):
                found[name] = entry.place
            else:
                found |= {f"{name} {word}": one.place for word, one in entry.commands.items()}
    return found
