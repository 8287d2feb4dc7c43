"""What IBM's machines do besides gates and final measurements.

IBM's guide on executing dynamic circuits allows `if_test` without nesting, measurements and resets
outside of it, and conditions whose operands have up to 32 bits. Its fake devices take more. A
`switch` is sent as one `if` after the other; see `compiler.dynamic.switches`.
"""

from compiler.dynamic.needs import Need

DYNAMIC = frozenset(
    {
        Need.MEASUREMENT,
        Need.RESET,
        Need.IF,
        Need.SWITCH,
        Need.EXPRESSION,
        Need.SEVERAL_BITS,
        Need.ENTANGLED_WITHIN,
        Need.SEVERAL_SOURCES,
    }
)
