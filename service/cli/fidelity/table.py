"""Table of the command `fidelity`, and the meaning of its figures."""

from collections.abc import Iterator

from service.cli.output.printing import print_rows
from service.results.device_runs import FidelityResult, OwnerScore

Scores = tuple[OwnerScore | None, OwnerScore | None]


def print_fidelity(result: FidelityResult) -> None:
    """Print every run as measured and mitigated, and uniform noise for reference."""
    runs = [
        (run.noise, run.circuit, run.gates_text, run.shots, title, *_scores(run.scores, kind))
        for run in result.runs
        for kind, title in (("raw", "as measured"), ("mitigated", "mitigated"))
        if run.scores.get(kind)
    ]
    noise = [
        ("uniform noise", of.encoding, None, None, "as measured", *_scores(of.scores, "raw"))
        for of in result.uniform_noise
        if of.scores
    ]
    print_rows(
        f"{result.program} with the noise of devices; "
        f"exact: normalised 1, P(win) {result.observables['win']:.4f}",
        [*runs, *noise],
        "device=0", "circuit=1", "2q gates=2", "shots=3", "readout=4",
        "Hellinger=5.hellinger_fidelity", "normalised=5.owner_normalized_fidelity",
        "by bits=5.normalized_fidelity", "post Hellinger=6.hellinger_fidelity",
        "post normalised=6.normalized_fidelity", "TVD=5.tvd", "legal=5.legal_fraction",
        "P(win)=5.observables.win.measured", "low=5.observables.win.low",
        "high=5.observables.win.high",
    )  # fmt: skip
    print("\n".join(_legend(result)))


def _scores(scores: object, kind: str) -> Scores:
    """Return the score of a kind and the post-selected one."""
    assert isinstance(scores, dict)
    post = "post_selected" if kind == "raw" else f"{kind}_post_selected"
    return scores[kind], scores.get(post)


def _legend(result: FidelityResult) -> Iterator[str]:
    yield (
        f"normalised: 0 is uniform noise on the {result.owner_bits} owner bits, the same for "
        "every encoding; bits that stand for no outcome count as wrong"
    )
    yield (
        "by bits: 0 is uniform noise on all measured bits; post normalised: of the legal shots, "
        "on the scale by bits, where uniform noise is above 0"
    )
    yield (
        "mitigated: readout errors undone by calibration; its interval allows for the noise that "
        "this amplifies"
    )
    for encoding in result.flattered:
        yield (
            f"post-selected figures of {encoding} say nothing: uniform noise on its bits, "
            "post-selected, scores as well"
        )
    yield from (f"left out: {reason}" for reason in result.left_out)
    yield from (f"{device.device}: {device.text}" for device in result.devices)
    yield f"seed {result.seed}; {result.provenance}"
