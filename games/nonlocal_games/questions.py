"""All questions of a game as programs of one batch, and players far apart on a target."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen
from rustworkx import all_pairs_dijkstra_shortest_paths

from compiler.errors import InputError
from compiler.judge import SIGNIFICANT
from compiler.scores.intervals import excess_sigmas, proportion_interval
from compiler.targets import target_from_spec
from games.nonlocal_games.game import NonlocalGame
from games.nonlocal_games.rules import Numbers
from games.sources import Source, read_game

MAX_CIRCUITS = 1000


def question_sources(source: Source, target: str = "", distance: int = 0) -> list[Source]:
    """Return a game's source once for each question, more often if that is more likely.

    Args:
        source: source of a game; one with a fixed question is returned alone.
        target: spec of the target; for a distance.
        distance: steps on the target between the qubits of neighbouring players; 0 for any.

    Raises:
        InputError: if it is no nonlocal game, has too many questions, or there is no such path.
    """
    game = None if source.is_circuit else read_game(source)
    if not isinstance(game, NonlocalGame):
        raise InputError(f"{source.name}: no nonlocal game: leave out --questions and --distance")
    shares = game.shares if game.question is None else {game.question: 1}
    if sum(shares.values()) > MAX_CIRCUITS:
        raise InputError(
            f"{source.name}: needs {sum(shares.values())} circuits, more than {MAX_CIRCUITS}: "
            "choose probabilities with a smaller common denominator"
        )
    placed: dict[str, object] = {}
    if distance:
        width, path = _path(game, target, distance)
        placed = {"path": list(path), "width": width, "distance": distance}
    return [
        _question_source(source, game, question, placed)
        for question, share in shares.items()
        for _ in range(share)
    ]


def _question_source(
    source: Source, game: NonlocalGame, question: Numbers, placed: Mapping[str, object]
) -> Source:
    numbers = ",".join(map(str, question))
    is_file = source.name.endswith(".toml")
    if not is_file and not placed:
        return Source(f"{game.name}:{numbers}")
    keys = {**({} if game.question and is_file else {"question": list(question)}), **placed}
    lines = [f"{key} = {value}" for key, value in keys.items()]
    text = source.content.decode() if is_file else f'game = "nonlocal"\nrules = "{game.name}"\n'
    stem = source.name.removesuffix(".toml") if is_file else game.name
    return Source(f"{stem}:{numbers}.toml", "\n".join([*lines, text]).encode())


def _path(game: NonlocalGame, target: str, distance: int) -> tuple[int, Sequence[int]]:
    """Return the qubits of a target, and the shortest path whose gates have the least errors.

    Its ends, and so all players, are as far apart as the path is long.
    """
    game.check_spread()
    device, length = target_from_spec(target), distance * (len(game.bits) - 1)
    coupling = device.build_coupling_map()
    if coupling is None:
        raise InputError(f"{target}: all qubits are coupled: leave out --distance")
    # Errors decide between paths of the same length only.
    graph = coupling.graph.to_undirected(multigraph=False)
    for number, (a, b) in enumerate(graph.edge_list()):
        graph.update_edge_by_index(number, 1 + _error(device, {a, b}) / device.num_qubits)
    paths = [
        path
        for of_start in all_pairs_dijkstra_shortest_paths(graph, float).values()
        for path in of_start.values()
        if len(path) == length + 1
    ]
    if not paths:
        raise InputError(
            f"{target}: no two qubits are {length} steps apart; choose a smaller --distance"
        )
    costs = [sum(graph.get_edge_data(*pair) for pair in pairwise(path)) for path in paths]
    return device.num_qubits, list(paths[costs.index(min(costs))])


def _error(device: Any, pair: set[int]) -> float:
    """Return the least error of a gate on two qubits, 0 if it is unknown."""
    errors = [
        properties.error
        for name in device.operation_names
        for qubits, properties in (device[name] or {}).items()
        if qubits is not None and set(qubits) == pair and properties is not None
    ]
    return min((error for error in errors if error is not None), default=0.0)


@frozen
class WinRate:
    """Result of all questions of a game.

    Args:
        game: name of the game.
        wins: counted.
        shots: total shots of all questions, in proportion to their probabilities.
        win_rate: wins by shots.
        low: lower end of the 95 % interval of Clopper and Pearson.
        high: upper end.
        mitigated: the win rate with readout errors undone; None without. It has no p-value.
        quantum: win rate of the strategy without noise.
        bound: the largest classical win rate.
        sigmas: excess over it; see `excess_sigmas`.
        beats: whether that is significant.
    """

    game: str
    wins: int
    shots: int
    win_rate: float
    low: float
    high: float
    mitigated: float | None
    quantum: float
    bound: float
    sigmas: float
    beats: bool


def win_rate_of(
    games: Sequence[object],
    measured: Sequence[tuple[float, int]],
    mitigated: Sequence[float | None],
) -> WinRate | None:
    """Return the win rate of all questions of a game together.

    Args:
        games: games of the runs.
        measured: win rate and shots of each run.
        mitigated: win rate of each with readout errors undone.

    Returns:
        None unless the runs are all questions of one game, as often as they are likely.
    """
    single_questions = [game for game in games if isinstance(game, NonlocalGame) and game.question]
    if not single_questions or len(single_questions) < len(games):
        return None
    first, shots = single_questions[0], Counter[Numbers | None]()
    # Two files of the same name may have different rules.
    if any(game.label != first.label or game.rules != first.rules for game in single_questions):
        return None
    for game, (_, n) in zip(single_questions, measured, strict=True):
        shots[game.question] += n
    total, parts = shots.total(), sum(first.shares.values())
    if any(shots[q] * parts != share * total for q, share in first.shares.items()):
        return None
    wins = round(sum(rate * n for rate, n in measured))
    low, high = proportion_interval(wins, total)
    undone = [rate for rate in mitigated if rate is not None]
    bound = float(first.classical_value)
    sigmas = excess_sigmas(wins / total, total, bound)
    return WinRate(
        first.label, wins, total, wins / total, low, high,
        sum(r * n for r, (_, n) in zip(undone, measured, strict=True)) / total
        if len(undone) == len(games)
        else None,
        first.quantum_value, bound, sigmas, sigmas >= SIGNIFICANT,
    )  # fmt: skip
