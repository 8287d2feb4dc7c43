"""How things stand: compilers side by side, sizes of games, and the newest figures."""

from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model

from dashboards import colours as c
from dashboards.expressions import (
    CHOSEN,
    CHOSEN_RUN,
    FIDELITY,
    RUN,
    TWO_QUBIT_GATES,
    of_the_runs,
    run,
)
from dashboards.fields import coloured_by_value, linked, logarithmic, matrix
from dashboards.layout import Tile, tile
from dashboards.panels import Column, bars, figures, listing
from dashboards.queries import rows

CASE = "suite, program, form, target"
SUITES = 'suite=~"$suite", form=~"$form"'
OURS, THEIRS = 'peer="stichwerk"', 'peer!~"stichwerk.*"'
LESS_IS_BETTER = ((None, c.GOOD), (1.0, c.PLAIN), (1.005, c.BAD))
VOLUME = "stichwerk_benchmark_game_volume_cards"
SIZES = "max by (program, cards, players) (stichwerk_program_info)"
JOB = "/d/stichwerk-job?var-program=${__data.fields.program}&var-backend=${__data.fields.backend}"


def peers() -> list[Tile]:
    """Return what compilers make of the same programs."""

    def gates(peers: str) -> str:
        return _best("two_qubit_gates", peers)

    side_by_side = bars(
        "Two-qubit gates by compiler",
        "The best proven result of each compiler in the newest comparison (`stichwerk peers`); "
        "logarithmic.",
        "short",
        rows(
            f"label_join(max by ({CASE}, peer) (stichwerk_peer_two_qubit_gates{{{SUITES}}}), "
            '"case", ", ", "program", "form", "target")'
        ),
    )
    ratios = figures(
        "Ours against the best of the others",
        "Below 1 ours is better. Times are of all calls of a compiler, the others' least.",
        CASE.split(", "),
        [
            Column("ours", gates(OURS)),
            Column("best other", gates(THEIRS)),
            Column("ratio", f"{gates(OURS)} / {gates(THEIRS)}", decimals=2, steps=LESS_IS_BETTER),
            Column(
                "depth ratio",
                f"{_best('two_qubit_depth', OURS)} / {_best('two_qubit_depth', THEIRS)}",
                decimals=2,
                steps=LESS_IS_BETTER,
            ),
            Column("our time", _best("compile_duration_seconds", OURS), "s"),
            Column("their time", _best("compile_duration_seconds", THEIRS), "s"),
        ],
    )
    return [
        tile(logarithmic(matrix(side_by_side, "case", "peer")), 9, 10),
        tile(ratios, 15, 10),
    ]


def volume() -> list[Tile]:
    """Return how figures depend on the number of cards and players."""
    best = listing(
        "Best normalised fidelity by players and cards",
        "Of all shots of the chosen programs on the chosen devices.",
        "none",
        rows(
            f'max by (cards, players) ({FIDELITY}{{{CHOSEN_RUN}, selection="raw"}} '
            f"* on (program) group_left (cards, players) {SIZES})"
        ),
    )
    best.decimals(2).min(0).max(1)
    coloured_by_value(best, model.FieldColorModeId.CONTINUOUS_BLUES)
    least = listing(
        "Fewest two-qubit gates by players and cards",
        "Of the chosen programs on the chosen targets.",
        "short",
        rows(
            f"min by (cards, players) ({TWO_QUBIT_GATES}{{{CHOSEN}}} "
            f"* on (program) group_left (cards, players) {SIZES})"
        ),
    )
    coloured_by_value(least, model.FieldColorModeId.CONTINUOUS_YL_BL)
    for panel in (best, least):
        panel.with_transformation(
            model.DataTransformerConfig(
                "convertFieldType",
                options={
                    "fields": {},
                    "conversions": [
                        {"targetField": "cards", "destinationType": "number"},
                        {"targetField": "players", "destinationType": "number"},
                    ],
                },
            )
        )
        panel.with_transformation(
            model.DataTransformerConfig("sortBy", options={"sort": [{"field": "cards"}]})
        )
        matrix(panel, "players", "cards")
        panel.cell_options(
            shapes.TableColoredBackgroundCellOptions(
                mode=shapes.TableCellBackgroundDisplayMode.BASIC
            )
        )
        panel.override_by_name(
            "players\\cards",
            [
                model.DynamicConfigValue("unit", "none"),
                model.DynamicConfigValue("decimals", 0),
                model.DynamicConfigValue("displayName", "players ↓  cards →"),
                model.DynamicConfigValue("custom.cellOptions", shapes.TableAutoCellOptions()),
            ],
        )
    largest = figures(
        "Game volume by device",
        "Cards of the largest game of cards whose newest run has a normalised fidelity of at "
        "least 0.1, and 0.5; uniform noise on the owners of the cards is 0, so that encodings can "
        "be compared. `stichwerk volume` plays four to nine cards.",
        ["backend"],
        [
            Column(f"at {threshold}", f'max by (backend) ({VOLUME}{{threshold="{threshold}"}})')
            for threshold in ("0.1", "0.5")
        ],
    )
    return [tile(best, 9, 7), tile(least, 9, 7), tile(largest, 6, 7)]


def newest_runs() -> Tile:
    """Return the newest figures in a table."""
    panel = figures(
        "Newest runs",
        "The newest scored job of every program, target, method, encoding and device. A click on "
        "a program leads to its jobs.",
        RUN.split(", "),
        [
            Column("normalised", _one("normalized_fidelity_ratio", "raw"), decimals=3),
            Column("post-selected", _one("normalized_fidelity_ratio", "post_selected"), decimals=3),
            Column("expected", of_the_runs("expected_fidelity_ratio"), decimals=3),
            Column("Hellinger", _one("hellinger_fidelity_ratio", "raw"), decimals=3),
            Column("legal", run("legal_ratio"), "percentunit", 1),
            Column("$observable", _observable("observable", ', selection="raw"'), decimals=3),
            Column("off by", _observable("observable_error", ', selection="raw"'), decimals=3),
            Column("exact", _observable("observable_exact"), decimals=3),
            Column("two-qubit gates", of_the_runs("two_qubit_gates"), "short"),
            Column("two-qubit depth", of_the_runs("two_qubit_depth"), "short"),
            Column("qubits", of_the_runs("qubits")),
            Column("shots", run("shots"), "short"),
            Column("run", run("run_duration_seconds"), "s"),
            Column("made", f"1000 * {run('run_timestamp_seconds')}", "dateTimeAsIso"),
        ],
    )
    linked(panel, "program", "Its jobs", JOB)
    return tile(panel, 24, 12)


def _best(figure: str, peers_: str) -> str:
    return f"min by ({CASE}) (stichwerk_peer_{figure}{{{SUITES}, {peers_}}})"


def _one(figure: str, selection: str) -> str:
    return f'max by ({RUN}) (stichwerk_benchmark_{figure}{{{CHOSEN_RUN}, selection="{selection}"}})'


def _observable(figure: str, more: str = "") -> str:
    return (
        f"max by ({RUN}) "
        f'(stichwerk_benchmark_{figure}{{{CHOSEN_RUN}, observable=~"$observable"{more}}})'
    )
