"""What a program does step by step, where its encoding shows the state after each."""

from collections.abc import Iterator

from attrs import frozen


@frozen
class StepFigures:
    """What one step of a program does.

    Args:
        title: the step in words.
        states: distinct states of what the rules speak of, afterwards.
        branches: distinct states of all qubits afterwards, history included.
        depth: depth of the operator's literal definition, any gate counting one layer.
    """

    title: str
    states: int
    branches: int
    depth: int


@frozen
class StepwiseProof:
    """A proof of a program that is made while its steps are gone through.

    Args:
        of: whose states are counted, such as `the cards`.
        steps: yields a step's figures once it is proven right; raises `VerificationError` at
            the first that is wrong, and `StateTooLargeError` if there are too many branches.
    """

    of: str
    steps: Iterator[StepFigures]
