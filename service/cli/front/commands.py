"""All commands, by name, with the line that lists them; none is imported before it is called."""

from collections.abc import Mapping

from service.cli.families.lists import Command, family_commands

OWN: dict[str, Command] = {
    "games": Command(
        "service.cli.games.command:games_command",
        "List the built-in games, or show one game and prove its program right.",
    ),
    "new": Command(
        "service.cli.new.command:new_app",
        "Write a file: of a game, by asking what it is.",
    ),
    "targets": Command(
        "service.cli.targets:targets_command",
        "List the targets that circuits can be lowered to, or show one, also that of a file.",
    ),
    "backends": Command(
        "service.cli.backends:backends_command",
        "List the backends that circuits can run on.",
    ),
    "costs": Command(
        "service.cli.costs:costs_command",
        "Compare synthesis methods by operator, short chains by target, and encodings by game.",
    ),
    "compile": Command(
        "service.cli.compiling.command:compile_command",
        "Lower a program to a target's native gates, prove the result right, and record it.",
    ),
    "run": Command(
        "service.cli.run:run_command",
        "Compile a program, run it on a backend, and score what it measured.",
    ),
    "bench": Command(
        "service.cli.bench:bench",
        "Compile, verify, run, score and record a suite of programs, literally and at their best.",
    ),
    "report": Command(
        "service.cli.report:report_command",
        "Write an interactive HTML page of what was recorded: one file, which works offline.",
    ),
    "peers": Command(
        "service.cli.peers.command:peers_command",
        "Compile the same programs with other compilers and ours, and prove all results.",
    ),
    "gates": Command(
        "service.cli.gates.command:gates_app",
        "Check gate counts against the committed baseline.",
    ),
    "play": Command(
        "service.cli.play.command:play_command",
        "Play a game against bots in the terminal; without one, a line of input is a move.",
    ),
    "tournament": Command(
        "service.cli.play.tournament:tournament_command",
        "Let bots play against one another, and rate them.",
    ),
    "scaling": Command(
        "service.cli.scaling.command:scaling_command",
        "Count two-qubit gates and seconds from 4 to 32 cards, and from 5 to 30 qubits.",
    ),
    "fidelity": Command(
        "service.cli.fidelity.command:fidelity_command",
        "Compile a game for devices, play it with their noise, and score it raw and mitigated.",
    ),
    "volume": Command(
        "service.cli.volume.command:volume_command",
        "Play games of four to nine cards with the noise of devices: which is the largest it "
        "plays?",
    ),
    "score": Command(
        "service.cli.score.command:score_command",
        "Score a machine from 0, which is noise, to 1: games, an iterate, circuits that branch.",
    ),
    "campaign": Command(
        "service.cli.campaign.command:campaign_command",
        "Hand the run of a campaign that is due to the workers: one job, whose parts are jobs.",
    ),
    "crossover": Command(
        "service.cli.crossover.command:crossover_command",
        "Say when a quantum machine would find P(win) of a game sooner than classical playouts do.",
    ),
    "estimate": Command(
        "service.cli.estimate.command:estimate_command",
        "Estimate the probability of a game's event, or an expected value, by amplitude "
        "estimation.",
    ),
    "submit": Command(
        "service.cli.queue.submit:submit_command",
        "Record a job, or a suite of jobs, for the workers, and return its number at once.",
    ),
    "jobs": Command(
        "service.cli.queue.jobs:jobs_command",
        "List jobs, the newest first.",
    ),
    "job": Command(
        "service.cli.queue.job:job_command",
        "Show where a job is, what it has been through, and how long each stage took.",
    ),
    "result": Command(
        "service.cli.queue.result:result_command",
        "Write a job's counts and scores, what came of its jobs, or what its provider sent.",
    ),
    "cancel": Command(
        "service.cli.queue.cancel:cancel_command",
        "Cancel jobs, also at their provider: those that are named, or all of a tag or state.",
    ),
    "retry": Command(
        "service.cli.queue.retry:retry_command",
        "Let jobs that have failed or were cancelled go on where they stopped.",
    ),
    "rescore": Command(
        "service.cli.queue.rescore:rescore_command",
        "Compute scores again from the stored raw results, here and now.",
    ),
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
    "token": Command(
        "service.cli.administration.token:token_app",
        "Create, list and revoke the tokens that open the HTTP API.",
    ),
    "migrate": Command(
        "service.cli.administration.migrate:migrate_command",
        "Bring the tables of the database up to date, and make them if there are none.",
    ),
    "status": Command(
        "service.cli.queue.status:status_command",
        "Show whether the service can do its work: exit code 0 if it can, else 1.",
    ),
    "backup": Command(
        "service.cli.administration.backup:backup_command",
        "Copy records in SQLite to a file, as they are at one moment, while everything goes on.",
    ),
    "restored": Command(
        "service.cli.administration.restored:restored_command",
        "Say that the records were restored from a backup, before any worker is started.",
    ),
    "records": Command(
        "service.cli.records.command:records_app",
        "Keep the database small, and give what it holds away.",
    ),
    "replay": Command(
        "service.cli.records.replay:replay_command",
        "Check a bundle without a database: its circuits, its counts' scores, perhaps its runs.",
    ),
    "schema": Command(
        "service.cli.front.schema:schema_command",
        "Print the JSON Schema of what a command prints with --json, or list all that are "
        "published.",
    ),
    "providers": Command(
        "service.cli.servers.providers:providers_command",
        "Play IBM and Amazon Braket on this machine until Ctrl-C, with jobs run on Aer.",
    ),
}

COMMANDS: Mapping[str, Command] = OWN | family_commands()
"""All commands: our own, and those of families of games."""
