"""Where the figures come from, and what they mean."""

from markupsafe import Markup

from service.pages.rendering import render_part
from service.pages.sections import Section
from service.report.records import (
    MAX_COMPILATIONS,
    MAX_ESTIMATES,
    MAX_JOBS,
    MAX_KINDS,
    MAX_PEER_RESULTS,
    MAX_TRIED,
    Records,
)
from service.report.views.naming import minute
from workers.records.queries.programs import MAX_PROGRAMS
from workers.records.queries.queueing import MAX_FAILED, MAX_TIMED
from workers.records.queries.runs import MAX_RUNS

DEFINITIONS = {
    "Normalised fidelity": "(F - F_uniform) / (1 - F_uniform) with the Hellinger fidelity "
    "F = (Σ √(p·q))² of counts p and exact distribution q: 0 for uniform noise on the measured "
    "bits, 1 for a perfect machine. It is left out where uniform noise is not known.",
    "Post-selected": "Of the shots with a legal outcome alone, on the same scale as raw, so that "
    "a run without illegal shots has the same value in both. Uniform noise, once it is legal, is "
    "above 0 on it.",
    "Expected fidelity": "The product of the calibrated success of all gates and readouts, and of "
    "what qubits keep while they wait (T1, T2); only for targets with calibrated errors.",
    "Estimates": "Probabilities by amplitude estimation. A circuit with j iterates takes 2j + 1 "
    "calls of the program. Sampling takes z²p(1 - p)/h² calls of a perfect machine for an interval "
    "of half the width h; what a call is worth is that number by the estimate's calls.",
    "Observables": "What the outcomes of a game have: P(win) is the share of all shots with which "
    "the party wins, with the 95 % interval of Clopper and Pearson; other averages are over the "
    "legal shots, with one that allows for values that did not occur. "
    "Exact: by enumerating the rules.",
    "Better, worse, unclear": "Of runs by their fidelities F of N shots, each with variance "
    "F(1 - F)/N: unclear if the interval of the difference, which holds for all comparisons of "
    "this page together, contains 0. Of two compilations by their two-qubit gates.",
    "Of the same kind": "The same program (by its content), target, method, encoding and "
    "options; of runs, also the same backend.",
    "Signal": "The share λ of the shots that follow the exact distribution if all others are "
    "uniform noise, by maximum likelihood, with its likelihood-ratio interval. Signal: the "
    "interval lies above 1/2; noise: it holds 0; mostly noise: between these.",
    "Verified": "exact: program and circuit are proven; sampled: the rules have judged games "
    "that the circuit played, or paths of measured bits were drawn and are the program's; "
    "unverified: neither proven nor refuted.",
    "Seeds": "A compilation's seed is that of the candidate that was chosen; a job's seed is the "
    "simulator's. Both stand with every job.",
    "Times and costs": "Times are UTC. Costs are estimates made before submission.",
}


def about(records: Records) -> Section:
    """Return definitions, provenance, and what was left out."""
    return Section(
        "about",
        "About these figures",
        parts=[
            render_part("facts.html", title="", facts=DEFINITIONS),
            render_part("facts.html", title="Provenance", facts=_provenance(records)),
            Markup("<h3>Omissions</h3>"),
            Markup("<p>{}</p>").format(_limits(records)),
        ],
    )


def _provenance(records: Records) -> dict[str, str]:
    scope = records.scope
    asked = {
        "Only program": scope.program or "",
        "Only since": "" if scope.since is None else f"{minute(scope.since)} UTC",
    }
    facts = {name: value for name, value in asked.items() if value}
    if records.compilations:
        newest = records.compilations[0]
        revisions = dict.fromkeys(_short(one.revision) for one in records.compilations)
        facts |= {
            "Newest compilation": f"{minute(newest.at)} UTC",
            "Git revision": newest.revision or "unknown",
            "Versions": ", ".join(f"{name} {one}" for name, one in newest.versions.items()),
        }
        if others := [one for one in revisions if one != _short(newest.revision)]:
            facts["Also of revisions"] = ", ".join(others)
    if records.peers:
        versions = records.peers[-1].versions.items()
        facts["Compared with"] = ", ".join(f"{name} {one}" for name, one in versions)
    return facts or {"Records": "none yet"}


def _short(revision: str | None) -> str:
    """Return the start of a revision, with `+changes` if it has them."""
    head, _, changes = (revision or "unknown").partition("+")
    return head[:12] + (f"+{changes}" if changes else "")


def _limits(records: Records) -> str:
    return (
        f"At most, always the newest: {MAX_RUNS:,} scored runs ({records.all_runs:,} in the "
        f"records), {MAX_COMPILATIONS:,} compilations ({records.all_compilations:,}), "
        f"{MAX_KINDS} kinds of each, {MAX_TRIED:,} candidates, {MAX_JOBS} jobs in the list "
        f"({records.all_jobs:,} without rounds of estimates), {MAX_ESTIMATES} estimates, times "
        f"of {MAX_TIMED:,} jobs, reasons of {MAX_FAILED} failures, {MAX_PEER_RESULTS} results "
        f"of peers, and {MAX_PROGRAMS} programs whose outcomes are read. Numbers of jobs and "
        "costs are those of all."
    )
