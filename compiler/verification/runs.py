"""Circuits too large for a state, judged by single runs."""

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.judge import Judge
from compiler.verification.trajectories import sampled_games

RUNS = 200


def verify_by_runs(judge: Judge, circuit: QuantumCircuit, runs: int = RUNS, seed: int = 0) -> str:
    """Check that a circuit does nothing illegal, and prefers nothing that it should not.

    Args:
        judge: what measured bits mean.
        circuit: gates, barriers and final measurements.
        runs: number of runs.
        seed: of the samples.

    Returns:
        What was found, one line for people.

    Raises:
        VerificationError: naming the first illegal run, or a preference that is no accident.
        StateTooLargeError: if the circuit cannot be cut into parts that are small enough, or
            single runs tell too little.
    """
    try:
        return f"{judge.examine(sampled_games(circuit, runs, seed))} (seed {seed})"
    except VerificationError as error:
        raise VerificationError(f"{error} (seed {seed})") from error
