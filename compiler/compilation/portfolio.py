"""Compiling as one function: a portfolio made, refined, proven, and the best of it chosen."""

from collections.abc import Sequence

from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from compiler.certainty import how_verified
from compiler.compilation.attempts import lower_all
from compiler.compilation.calls import Each, Listener, in_order
from compiler.compilation.choice import choose, failure, prove_until_sure
from compiler.compilation.options import Options
from compiler.compilation.plan import Plan, plan
from compiler.compilation.proof import Claim, prove_program
from compiler.compilation.task import Clock, Native, Task, no_clock
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.figures import Figures
from compiler.lowering.portfolio import Attempt
from compiler.program import Program
from compiler.verification.program import Verdict


@frozen
class Candidate:
    """One attempt and what came of it.

    Args:
        attempt: synthesis, pipeline and seed.
        native: the circuit and its figures, or why there is none.
        verdict: how far it is proven; None if there is no circuit, or if a better one is proven.
    """

    attempt: Attempt
    native: Native
    verdict: Verdict | None = None


@frozen(eq=False)
class Compiled:
    """A program as a native circuit, with all that was tried.

    Args:
        program: what was compiled.
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
        """The native circuit with its measurements, on the target's physical qubits."""
        return read_qpy(self.chosen.native.native, self.program.name)

    @property
    def figures(self) -> Figures:
        """What was counted on the circuit."""
        figures = self.chosen.native.figures
        assert figures is not None
        return figures

    @property
    def from_zero(self) -> bool:
        """Return whether the circuit, and so its figures, hold from |0…0⟩ only."""
        return any(step.from_zero for step in self.chosen.native.steps)


def compile(
    program: Program,
    target: str | Target | BackendV2 = "all",
    options: Options | None = None,
    *,
    each: Each = in_order,
    clock: Clock = no_clock,
    listener: Listener | None = None,
) -> Compiled:
    """Lower a program to native gates, prove the results right, and choose the best.

    Args:
        program: what is compiled.
        target: a spec such as `heavy-hex:torino` or `star`, or a target or backend of Qiskit's
            with any native gates on two qubits in which a CX can be written.
        options: how; by default everything is tried.
        each: makes the attempts; by default one after the other in this process.
        clock: measures how long passes take, such as `time.perf_counter`.
        listener: hears of what is done.

    Raises:
        InputError: if something does not fit together.
        LoweringError: if no pipeline gets through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    planned = plan(program, target, options or Options())
    return carried_out(planned, each=each, clock=clock, listener=listener)


def carried_out(
    planned: Plan,
    *,
    each: Each = in_order,
    clock: Clock = no_clock,
    listener: Listener | None = None,
) -> Compiled:
    """Do what is planned; see `compile`.

    Raises:
        LoweringError: if no pipeline gets through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    program, heard = planned.program, listener or Listener()
    lowered = lower_all(planned, each, clock, heard)
    ((_, proven),) = each(prove_program, [program])
    candidates = [Candidate(*pair) for pair in lowered]
    made = [place for place, (_, native) in enumerate(lowered) if native.native]
    claims = [claim_of(planned, *lowered[place], clock) for place in made]
    found = [figures for place in made if (figures := lowered[place][1].figures) is not None]
    proofs = prove_until_sure(claims, found, planned.options.objective, each, heard)
    for place, (verdict, _) in proofs:
        candidates[made[place]] = evolve(candidates[made[place]], verdict=verdict)
    chosen = choose(
        [(one, one.verdict, one.native.figures) for one in candidates], planned.options.objective
    )
    if chosen is None:
        raise failure(program.name, [(one.native.error, one.verdict) for one in candidates])
    best_proof = chosen.verdict.verified if chosen.verdict else "unverified"
    verified = how_verified(proven, best_proof)
    return Compiled(program, planned.target, planned.options, candidates, chosen, verified)


def claim_of(planned: Plan, attempt: Attempt, native: Native, clock: Clock) -> Claim:
    """Return the claim that what came of an attempt does what the program does."""
    return Claim(
        Task(planned.program, planned.target, planned.options, attempt, clock),
        native.native,
        native.logical,
        native.initial_layout,
        native.final_layout,
    )
