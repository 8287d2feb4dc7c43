"""Proof of a chosen circuit in one word, without the modules that prove."""


def how_verified(program: str, circuit: str) -> str:
    """Return the proof of a chosen circuit.

    `exact` if both the program and the circuit are; `sampled` if the judge has seen single runs
    of the circuit, with any proof of the program, or if some paths of measured bits are
    equal; else `unverified`.

    Args:
        program: result of `compiler.compilation.proof.prove_program`.
        circuit: `verified` of the verdict on the circuit.
    """
    if circuit == "sampled":
        return "sampled"
    exact = program in ("exact", "given") and circuit == "exact"
    return "exact" if exact else "unverified"
