"""Compiling as one function: a portfolio lowered, refined, proven, and the best of it chosen."""

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from compiler.arguments import checked
from compiler.certainty import how_verified
from compiler.compilation.attempts import lower_all
from compiler.compilation.candidate import Candidate
from compiler.compilation.listener import Listener
from compiler.compilation.options import Options
from compiler.compilation.plan import Plan, plan
from compiler.compilation.proof import prove, prove_program
from compiler.errors import LoweringError, VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import best, ranked
from compiler.measurement import with_layout
from compiler.program import Program
from compiler.verification.program import Verdict

PROOFS = ("exact", "sampled", "unverified")
"""Proofs with which a circuit may be chosen, the best first."""

C = TypeVar("C")


@frozen(eq=False)
class Compiled:
    """A program as a native circuit, with all candidates.

    Args:
        program: the source.
        target: a complete spec, or the target that was given.
        options: with nothing left to the program.
        candidates: every attempt that was made.
        chosen: the one that won.
        verified: how far its circuit is proven: `exact`, `sampled` or `unverified`.
    """

    program: Program
    target: str | Target
    options: Options
    candidates: Sequence[Candidate]
    chosen: Candidate
    verified: str

    @property
    def circuit(self) -> QuantumCircuit:
        """The native circuit with its measurements and layout, on the target's physical qubits."""
        native, chosen = read_qpy(self.chosen.native, self.program.name), self.chosen
        layouts = chosen.initial_layout, chosen.final_layout
        return with_layout(native, self.program.circuit, *layouts)

    @property
    def figures(self) -> Figures:
        """Figures of the circuit."""
        figures = self.chosen.figures
        assert figures is not None
        return figures

    @property
    def from_zero(self) -> bool:
        """Return whether the circuit, and so its figures, hold from |0…0⟩ only."""
        return self.chosen.from_zero


@checked
def compile(
    program: Program,
    target: str | Target | BackendV2 = "all",
    options: Options | None = None,
    listener: Listener | None = None,
) -> Compiled:
    """Lower a program to native gates, prove the results right, and choose the best.

    Args:
        program: to be compiled.
        target: a spec such as `heavy-hex:boston` or `star`, or a target or backend of Qiskit's
            with any native gates on two qubits in which a CX can be written.
        options: how; by default everything is tried.
        listener: makes the calls, measures them, and is notified of each result; by default
            calls are made one after the other in this process.

    Raises:
        InputError: if something does not fit together.
        LoweringError: if no pipeline gets through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    return carry_out(plan(program, target, options or Options()), listener or Listener())


def carry_out(
    plan: Plan, listener: Listener, lowered: Sequence[Candidate] | None = None
) -> Compiled:
    """Carry out a plan; see `compile`.

    Args:
        plan: of the compilation.
        listener: makes the calls, and is notified of each result.
        lowered: candidates from an earlier run that ended before they were proven; None to lower.

    Raises:
        LoweringError: if no pipeline gets through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    objective = plan.options.objective
    if lowered is None:
        lowered = lower_all(plan, listener)
        listener.all_lowered(lowered)
    ((_, program_verified),) = listener.each(prove_program, [plan.program])
    listener.program_proven(program_verified)
    candidates = prove_all(plan, lowered, listener)
    chosen = choose(
        [(candidate, candidate.verdict, candidate.figures) for candidate in candidates], objective
    )
    if chosen is None or chosen.verdict is None:
        raise _failure(plan.program.name, candidates)
    verified = how_verified(program_verified, chosen.verdict.verified)
    return Compiled(plan.program, plan.target, plan.options, candidates, chosen, verified)


def prove_all(plan: Plan, lowered: Sequence[Candidate], listener: Listener) -> list[Candidate]:
    """Return candidates with their verdicts.

    The circuits with the best figures are proven first. Once one is proven exactly, `choose`
    takes none that comes after it, so these get no verdict.
    """
    candidates = list(lowered)
    figures = [(at, each.figures) for at, each in enumerate(lowered) if each.figures is not None]
    order = ranked(figures, plan.options.objective)
    begin, proofs = 0, list[str]()
    while begin < len(order) and PROOFS[0] not in proofs:
        # Most often the first is proven; where none can be, many are proven side by side.
        places = order[begin : max(1, 2 * begin)]
        begin += len(places)
        calls = [lowered[place] for place in places]
        for number, candidate in listener.each(partial(prove, plan, listener.clock), calls):
            candidates[places[number]] = candidate
            listener.proven(places[number], candidate)
            proofs.append(candidate.verdict.verified if candidate.verdict else "")
    return candidates


def choose(
    candidates: Sequence[tuple[C, Verdict | None, Figures | None]], objective: str
) -> C | None:
    """Return the best candidate of those that are proven best, None if none survived."""
    for proof in PROOFS:
        survivors = [
            (candidate, figures)
            for candidate, verdict, figures in candidates
            if verdict is not None and verdict.verified == proof and figures is not None
        ]
        if survivors:
            return best(survivors, objective)
    return None


def _failure(name: str, candidates: Sequence[Candidate]) -> Exception:
    """Return the fault where no candidate could be chosen."""
    refuted = [
        candidate.verdict.detail for candidate in candidates if candidate.verdict is not None
    ]
    if refuted:
        return VerificationError(f"every candidate is proven wrong; the first: {refuted[0]}")
    reasons = "; ".join(dict.fromkeys(candidate.error for candidate in candidates))
    return LoweringError(f"no pipeline could lower {name}: {reasons}")
