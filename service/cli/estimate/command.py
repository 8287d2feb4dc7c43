"""The command `estimate`: the probability of an event, with fewer runs than sampling takes."""

from time import perf_counter
from typing import Annotated, Any

import typer
from attrs import asdict

from backends import backend_from_spec, target_on
from compiler.amplification.event import first_event
from compiler.amplification.iterate import amplified
from compiler.compilation import Options
from compiler.errors import InputError
from compiler.targets import sized_spec
from compiler.words.plurals import how_many
from games import DEFAULT_ENCODING
from games.sources import read_program
from service.cli.compile_options import Encoding, MaxCost, Method
from service.cli.devices import BackendTarget
from service.cli.estimate.handing_over import hand_over
from service.cli.estimate.plan import Plan
from service.cli.estimate.plot import draw_estimate
from service.cli.estimate.table import print_estimate
from service.cli.options import Json, Seed, ServiceDatabase
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, say
from service.cli.program_argument import Program, read_source
from workers.compilation.orders import CompileOrder
from workers.devices.naming import backend_named
from workers.estimation.asked import Estimation, Kind, estimated, most_qubits
from workers.estimation.oracle import BackendOracle, local_backend
from workers.estimation.quantity import quantity
from workers.jobs.request import Submission, check_shots
from workers.provenance import revision, versions
from workers.settings import dollars


def estimate_command(
    *,
    program: Program,
    observable: Annotated[
        str,
        typer.Option(
            help="The event whose probability is estimated, by default the program's first; or a "
            "number, such as points, whose expected value is.",
            show_default=False,
        ),
    ] = "",
    estimator: Annotated[
        Kind,
        typer.Option(
            help="bayesian (takes the fewest calls, and learns the noise, too), iterative (IQAE), "
            "bayesian-iterative (BIQAE), likelihood (MLAE), or counting (phase estimation)."
        ),
    ] = Kind.BAYESIAN,
    error: Annotated[
        float,
        typer.Option(
            help="Half the width of the interval that is wanted; of a number in its own units."
        ),
    ] = 0.01,
    confidence: Annotated[float, typer.Option(help="Of the interval.")] = 0.95,
    backend: Annotated[
        str,
        typer.Option(
            "--backend", "-b", help="A simulator; see 'stichwerk backends'.", callback=backend_named
        ),
    ] = "aer",
    target: BackendTarget = "",
    shots: Annotated[int, typer.Option(help="Of each round.")] = 100,
    most_iterates: Annotated[
        int, typer.Option(help="Of a circuit; counting takes 2^t − 1 for t bits.")
    ] = 64,
    encoding: Encoding = DEFAULT_ENCODING,
    method: Method = "fast",
    seed: Seed = 0,
    queue: Annotated[
        bool,
        typer.Option(
            "--queue",
            help="Hand it to the workers, for any backend: a job whose rounds are jobs.",
        ),
    ] = False,
    tag: Annotated[str, typer.Option(help="With --queue, of all its jobs.")] = "",
    max_cost: MaxCost = "",
    database: ServiceDatabase = "",
    plot: Annotated[str, typer.Option(help="Draw it to a .png, .svg or .pdf.")] = "",
    as_json: Json = False,
) -> int | None:
    """Estimate the probability of a game's event, or an expected value, by amplitude estimation.

    A Grover iterate is made of the program's own gates, compiled and proven like any program.
    Before it starts the command tells what it is expected to take, and what it never goes beyond;
    the estimate stands beside the
    exact value and what sampling takes for the same error. The exit code is 1 if the interval is
    wider than was asked for.

    Examples:
    - `stichwerk estimate skat-4 --encoding lean --observable win`

    - `stichwerk estimate skat-4 --encoding lean --observable points --error 0.5`

    - `stichwerk estimate skat-4 --encoding lean --estimator counting --error 0.05`

    - `stichwerk estimate skat-4 --encoding lean --backend aer:torino`

    - `stichwerk estimate skat-4 --encoding lean --queue --backend ibm:torino --max-cost 20USD`
    """
    started, path = perf_counter(), plot_path(plot)
    check_shots(shots)
    spec = target_on(backend, target)
    given = read_source(program)
    source = read_program(given, encoding)
    asked_for = quantity(source, observable or first_event(source))
    event = asked_for.event
    asked = Estimation(
        event.name, estimator, error, confidence, shots, most_iterates,
        noisy=backend_from_spec(backend).reads_with_errors(),
    )  # fmt: skip
    asking = asked.asking(asked_for)
    planned = Plan.of(asking)
    if queue:
        if plot:
            raise InputError("--queue: leave out --plot, and draw it with 'stichwerk result'")
        widest = sized_spec(spec, most_qubits(asked_for, asking))
        order = CompileOrder(given, widest, Options(method, seed=seed), source.encoding)
        limit = dollars(max_cost) if max_cost else None
        submission = Submission(
            order, backend, shots, seed, tag=tag or None, max_cost_usd=limit,
            estimation=asked.as_json(),
        )  # fmt: skip
        hand_over(submission, planned, database, as_json=as_json)
        return None
    if tag or max_cost or database:
        raise InputError("--tag, --max-cost and --database are for --queue: say that, too")
    local_backend(backend)
    say(f"{source.name}: looking for where {event.name} is decided, and for its signs")
    oracle = BackendOracle(amplified(event), backend, spec, Options(method, seed=seed), seed, say)
    own, one = (oracle.circuit(iterates).figures.two_qubit_gates for iterates in (0, 1))
    sampling = asked_for.sampling(error, confidence)
    say(
        f"{planned.told()}; an iterate adds {how_many(one - own, 'two-qubit gate')} on {spec}, "
        f"the program has {own}; sampling takes {sampling:,} calls"
    )
    found = estimated(asking, oracle)
    answer: dict[str, Any] = {
        "program": source.name,
        "encoding": source.encoding,
        "observable": event.name,
        "title": asked_for.title,
        "estimator": estimator.value,
        "backend": backend,
        "target": spec,
        "method": method,
        "error": error,
        "confidence": confidence,
        "seed": seed,
        "estimate": found.value,
        "low": found.low,
        "high": found.high,
        "exact": event.probability,
        "reached": found.reached,
        "circuits": found.circuits,
        "shots": found.shots,
        "calls": found.calls,
        "deepest": found.deepest,
        "planned": asdict(planned.expected),
        "never_beyond": {
            "shots": planned.most_shots,
            "calls": planned.most_calls,
            "deepest": planned.most_iterates,
        },
        "classical_calls": sampling,
        "program_two_qubit_gates": own,
        "iterate_two_qubit_gates": one - own,
        "iterate_in_programs": (one - own) / own if own else None,
        "verified": sorted({compiled.verified for compiled in oracle.compiled.values()}),
        "rounds": [asdict(each) for each in found.rounds],
        "seconds": perf_counter() - started,
        "versions": versions(),
        "revision": revision(),
    }
    if path is not None:
        write_figure(draw_estimate({**answer, "spread": asked_for.spread}), path)
    answer = asked_for.in_units(answer)
    if as_json:
        print_json(answer)
    else:
        print_estimate(answer, path)
    return None if found.reached else 1
