"""Every option and argument of every command, given what nobody sane would give it."""

import random
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from time import monotonic

from attrs import define, field, frozen

from .commands.calling import Calls
from .commands.hostile import Hostile, values
from .commands.judging import faults
from .commands.tree import Command, Parameter, commands, variables

SANE = {
    "ID": "1",
    "ID...": "1",
    "NAME": "alice",
    "--backend": "sparse",
    "--method": "fast",
}
"""What is given where something must be; any other argument is the small game."""
SMALL_GAME = "toy.toml"
MACHINES = ("sparse", "ibm:torino", "braket:garnet")
ARGUMENTS_FIRST = 8
"""How much oftener an argument is tried than an option: files are read there."""
LONGEST_SHOWN = 60


@define(eq=False)
class Siege:
    """Bounds of an attack, and what was tried how often.

    Args:
        seed: of all that is left to chance.
        seconds: after which nothing new is tried.
        most: how often anything is tried; None for no limit but the time.
    """

    seed: int
    seconds: float = 480.0
    most: int | None = None
    tried: Counter[str] = field(factory=Counter, init=False)
    chance: random.Random = field(init=False)
    _begun: float = field(factory=monotonic, init=False)

    def __attrs_post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def over(self) -> bool:
        """Tell whether the time is up, or enough has been tried."""
        enough = self.most is not None and self.tried.total() >= self.most
        return enough or monotonic() - self._begun > self.seconds


@frozen
class Case:
    """One call."""

    command: Command
    arguments: tuple[str, ...]
    variables: Mapping[str, str]
    needs: tuple[Hostile, ...]

    def shown(self) -> str:
        """Return the call for people, long values cut."""
        given = [f"{name}={_short(value)}" for name, value in self.variables.items()]
        return " ".join([*given, "stichwerk", *map(_short, self.arguments)])


def command_line(siege: Siege) -> Iterator[str]:
    """Call commands with one or two hostile values each, until all were tried or time is up."""
    found: Counter[tuple[str, ...]] = Counter()
    with Calls() as calls:
        for case in cases(siege):
            if siege.over():
                break
            ended = calls.call(case.arguments, case.variables, case.needs)
            siege.tried[_what(ended.code)] += 1
            if ended.code is None and _is_long(calls, case.command):
                continue
            for fault in faults(ended):
                # One line for one fault, however many values show it.
                key = (*case.command.words, re.sub(r"'.*'|\d+", "…", fault)[:80])
                found[key] += 1
                if found[key] == 1:
                    yield f"{case.shown()}: {fault}"


def _what(code: int | None) -> str:
    return (
        {0: "done", 1: "answered with no", 2: "refused"}.get(code or 0, "begun")
        if (code is not None)
        else "hung"
    )


def _is_long(calls: Calls, command: Command) -> bool:
    """Tell whether a command computes for long by itself, whatever it is given."""
    if command.words not in calls.long:
        plain = _case(random.Random(0), command, "", Hostile(""))
        calls.long[command.words] = calls.call(plain.arguments).code is None
    return calls.long[command.words]


def cases(siege: Siege) -> Iterator[Case]:
    """Yield calls, every parameter in turn, in an order that the seed decides."""
    chance = siege.chance
    queues: list[tuple[Command | None, Parameter | str, list[Hostile], int]] = []
    for command in commands():
        for parameter in command.parameters:
            if parameter.kind is not bool:
                often = 1 if parameter.spelling else ARGUMENTS_FIRST
                queues.append((command, parameter, _drawn(parameter.kind, chance), often))
    for variable in variables():
        queues.append((None, variable, _drawn(str, chance), 2))
    everything = commands()
    chance.shuffle(queues)
    while queues:
        for queue in list(queues):
            command, what, waiting, often = queue
            for _ in range(often):
                if not waiting:
                    break
                yield _case(chance, command or chance.choice(everything), what, waiting.pop())
            if not waiting:
                queues.remove(queue)


def _drawn(kind: type, chance: random.Random) -> list[Hostile]:
    known = values(kind)
    return chance.sample(known, len(known))


def _case(chance: random.Random, command: Command, what: Parameter | str, value: Hostile) -> Case:
    """Return a call that is sane but for one value, or sometimes two."""
    needs = [value]
    options: list[str] = []
    arguments: list[str] = []
    for parameter in command.parameters:
        if parameter is what or parameter == what:
            text = value.text
        elif not parameter.spelling and (parameter.required or chance.random() < 0.5):
            text = SANE.get(parameter.metavar, SMALL_GAME)
        elif parameter.spelling == "--backend" and chance.random() < 0.7:
            text = chance.choice(MACHINES)
        elif parameter.required or (parameter.spelling in SANE and chance.random() < 0.5):
            text = SANE.get(parameter.spelling, SMALL_GAME)
        elif parameter.kind is bool:
            if chance.random() < 0.15:
                options.append(parameter.spelling)
            continue
        elif chance.random() < 0.02:
            other = chance.choice(values(parameter.kind))
            needs.append(other)
            text = other.text
        else:
            continue
        if parameter.spelling:
            options += [f"{parameter.spelling}={text}"]
        else:
            arguments.append(text)
    given = {what: value.text} if isinstance(what, str) and what else {}
    # After `--` nothing is an option, whatever it looks like.
    rest = ["--", *arguments] if chance.random() < 0.5 else arguments
    return Case(command, (*command.words, *options, *rest), given, tuple(needs))


def _short(value: str) -> str:
    cut = value if len(value) <= LONGEST_SHOWN else f"{value[:LONGEST_SHOWN]}…({len(value):,})"
    return shlex.quote(cut.encode("unicode_escape", "surrogatepass").decode())
