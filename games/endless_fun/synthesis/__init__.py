"""How the operators of qutrits are built of gates."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
