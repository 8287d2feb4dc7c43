"""`python -m benchmarks.operator_proofs GAME`: a large game's operators on as many inputs as asked.

`stichwerk compile` proves operators on as many inputs as take little beside compiling. Here the
game is lowered once by our `qiskit` pipeline, and proven on any number, by the same code.
"""

import argparse
import sys
from time import process_time

from compiler.compilation import Options
from compiler.compilation.candidate import lower
from compiler.compilation.plan import plan
from compiler.errors import StateTooLargeError, StichwerkError, VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.draft import no_clock
from compiler.measurement import final_measurements
from compiler.verification.operator_proofs.operator_by_operator import (
    OperatorProof,
    prove_operators,
)
from games import encoded, named_game


def proven(game: str, target: str, inputs: int, corners: int, seed: int) -> OperatorProof:
    """Lower a game, and prove its operators; progress goes to stderr."""
    planned = plan(encoded(named_game(game)), target, Options("fast", pipelines=("qiskit",)))
    native = lower(planned, no_clock, planned.attempts[0])
    if native.error:
        raise VerificationError(native.error)
    made, _ = final_measurements(read_qpy(native.native, "native"))
    print(f"{made.num_nonlocal_gates():,} two-qubit gates", file=sys.stderr)

    def tell(done: int, of: int) -> None:
        print(f"\rpart {done + 1:,} of {of:,}", end="", file=sys.stderr, flush=True)

    return prove_operators(
        final_measurements(planned.program.circuit)[0],
        read_qpy(native.logical, "logical"),
        made,
        native.initial_layout,
        native.final_layout,
        inputs=inputs,
        corners=corners,
        seed=seed,
        progress=tell,
    )


def main() -> int:
    """Prove, and print what was proven in how many CPU seconds."""
    parser = argparse.ArgumentParser(prog="benchmarks.operator_proofs", description=__doc__)
    parser.add_argument("game", help="such as skat-32")
    parser.add_argument("--target", default="all", help="[all]")
    parser.add_argument("--inputs", type=int, default=9000, help="as drawn in games [9000]")
    parser.add_argument("--corners", type=int, default=1000, help="corner cases [1000]")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.inputs < 1 or options.corners < 0:
        parser.error("write at least one input, and no fewer corner cases than 0")
    started = process_time()
    try:
        proof = proven(options.game, options.target, options.inputs, options.corners, options.seed)
    except (VerificationError, StateTooLargeError) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except StichwerkError as error:
        parser.error(str(error))
    print(file=sys.stderr)
    print(
        f"{options.game} on {options.target}, seed {options.seed}: {proof.text}; off by "
        f"{proof.worst:.1g} at most, in {process_time() - started:.0f} CPU s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
