"""CNOT of three levels on two qubits each."""

from collections.abc import Mapping

from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.registers import Register, joined, parts
from games.endless_fun.operators.codes import SAME, Code, code_on, line, words


@operator("qutrit_cnot")
class QutritCnot(Operator):
    """|a, b⟩ → |a, a + b mod 3⟩. Cost: 8.

    The control keeps its code, and the target has `target_after` afterwards: the same if the
    control's code is the level itself.

    Args:
        control: the code of a.
        target: of b.
    """

    examples = (
        example("CNOT mod 3", SAME, SAME),
        example("CNOT mod 3, other words", code_on(2, 1), code_on(1, 2)),
    )
    colour = "#0072B2"

    def __init__(self, control: Code, target: Code) -> None:
        self.registers = _registers(control, target)
        self.outputs = _registers(control, target_after(control, target))
        super().__init__(4, [control, target])

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the one output of a legal input."""
        (control,), (target,) = (
            register.decode(part)
            for register, part in zip(
                self.registers, parts(self.registers, basis_state), strict=True
            )
        )
        after = (control, (control + target) % 3)
        found = [register.encode([v]) for register, v in zip(self.outputs, after, strict=True)]
        return {joined(self.outputs, found): 1}


def target_after(control: Code, target: Code) -> Code:
    """Return the target's code after words were added.

    Codes are straight lines. The words of the control are added if both rise alike, else taken
    away: then the sum of the levels is as much off as both codes are.
    """
    (slope, at), (rising, start) = line(control), line(target)
    return code_on(rising, start + at if slope == rising else start - at)


def _registers(control: Code, target: Code) -> tuple[Register, Register]:
    return (
        Register("control", 1, 3, words(control)),
        Register("target", 1, 3, words(target)),
    )
