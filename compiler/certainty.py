"""How far a chosen circuit is proven: what records and pages tell, without what proves."""


def how_verified(program: str, circuit: str) -> str:
    """Return how far a chosen circuit is proven.

    `exact` if both the program and the circuit are; `sampled` if the judge has seen single runs
    of the circuit, whatever is known of the program, or if some paths of measured bits are
    equal; else `unverified`.

    Args:
        program: what `compiler.compilation.proof.prove_program` returned.
        circuit: `verified` of the verdict on the circuit.
    """
    if circuit == "sampled":
        return "sampled"
    exact = program in ("exact", "given") and circuit == "exact"
    return "exact" if exact else "unverified"
