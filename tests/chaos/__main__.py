"""`python -m tests.chaos`: run the experiment and report; exit 1 if anything did not hold."""

import argparse
import secrets
import sys

from .experiment import Plan, Report, chaos


def main() -> int:
    """Run the experiment that the arguments describe."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--limit-seconds", type=float, default=3600.0)
    plan = Plan(**vars(parser.parse_args()))
    print(f"chaos: seed {plan.seed}", file=sys.stderr)
    report = chaos(plan, lambda line: print(f"chaos: {line}", file=sys.stderr, flush=True))
    print(text(report))
    return 0 if report.good else 1


def text(report: Report) -> str:
    """Return a report to be read."""
    found = report.verdict
    lines = [
        f"{report.plan.jobs} jobs in {report.seconds:.0f} s, seed {report.plan.seed}",
        "jobs by final state: " + _listed(found.states),
        f"accepted by the providers: {found.provider_jobs}; events: {found.events}",
        f"circuits: {found.orders}, compiled {found.compilations} times",
        "went wrong: " + _listed(report.strikes),
        "killed: " + _listed(report.kills),
        "providers' faults: " + _listed(report.faults),
        *(f"{name}: {n}" for name, n in found.figures.items()),
        *(f"did not happen: {what}" for what in report.missing),
        *found.problems,
        "all of it held" if report.good else f"it did not hold; logs in {report.logs}",
    ]
    return "\n".join(lines)


def _listed(counts: object) -> str:
    assert isinstance(counts, dict)
    return ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) or "none"


if __name__ == "__main__":
    sys.exit(main())
