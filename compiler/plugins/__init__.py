"""Our lowering as a part of other compilers: stages of Qiskit's pass managers, a pass of tket's."""
