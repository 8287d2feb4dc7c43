"""Types of the arrays that compiled code works on."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Complex: TypeAlias = NDArray[np.complex128]
Integers: TypeAlias = NDArray[np.int32]
Reals: TypeAlias = NDArray[np.float64]
