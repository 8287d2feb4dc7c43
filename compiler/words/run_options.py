"""Options of running a compiled circuit, most of them methods against noise.

None changes the result of the circuit without noise.
"""

from collections.abc import Mapping
from typing import Any, Self

from attrs import asdict, field, frozen
from attrs.validators import in_, instance_of

from compiler.errors import InputError

DECOUPLING, TWIRLING, AMPLIFYING = "dd", "twirling", "zne"
"""Methods of backends: sequences of gates while qubits wait; random Paulis around two-qubit
gates; every two-qubit gate several times, for zero-noise extrapolation."""

MITIGATION = (DECOUPLING, TWIRLING, AMPLIFYING)
"""The methods in the order in which they are listed."""


@frozen
class RunOptions:
    """Options of running a circuit, besides its shots and seed.

    Requests, rows, bundles and retries hold them as a whole: a further option is a field here,
    and is read by the backends that support it.

    Args:
        decoupling: whether idle qubits are flipped back and forth.
        twirling: whether two-qubit gates are surrounded by random Paulis that cancel.
        noise: how often each two-qubit gate is made, an odd number.
    """

    decoupling: bool = field(default=False, validator=instance_of(bool))
    twirling: bool = field(default=False, validator=instance_of(bool))
    noise: int = field(default=1, validator=[instance_of(int), in_(range(1, 100, 2))])

    @property
    def needs(self) -> frozenset[str]:
        """Methods against noise that the backend must support."""
        requested = (
            (DECOUPLING, self.decoupling),
            (TWIRLING, self.twirling),
            (AMPLIFYING, self.noise > 1),
        )
        return frozenset(name for name, wanted in requested if wanted)

    def as_json(self) -> dict[str, Any] | None:
        """Return the options that are not the default ones; None if there are none."""
        return asdict(self, filter=lambda option, value: value != option.default) or None

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Self:
        """Return the options of a document that `as_json` has returned.

        Raises:
            InputError: if it holds anything else.
        """
        try:
            return cls(**document or {})
        except (TypeError, ValueError) as error:
            raise InputError(f"run options {str(document)[:80]}: invalid") from error


PLAIN = RunOptions()
