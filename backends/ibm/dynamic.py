"""What IBM's machines do besides gates and final measurements.

IBM's guide on executing dynamic circuits allows `if_test` without nesting, measurements and resets
outside of it, and conditions whose operands have up to 32 bits. Its fake devices take more.
"""

from compiler.dynamic.needs import Need

DYNAMIC = frozenset({Need.MEASUREMENT, Need.RESET, Need.IF, Need.EXPRESSION})
