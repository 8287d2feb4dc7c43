"""Circuits and what they do: OpenQASM 3, OpenQASM 2, circuits that measure on the way."""

from functools import reduce

import numpy as np

from tests.independent import (
    I2,
    PI,
    SWAP,
    SX,
    H,
    S,
    World,
    X,
    Z,
    controlled,
    number,
    phase,
    rx,
    ry,
    rz,
    rzz,
    u,
)

HEAD_2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
HEAD_3 = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'


def measured(world: World) -> World:
    """Measure each qubit into the bit of its number."""
    for qubit in range(world.qubits):
        world.measure(qubit, qubit)
    return world


def three_measured(qubits=3, bits=3):
    world = World(qubits, bits)
    for qubit in range(2):
        world.gate(H, qubit)
    return world


def product_of(qubits, *gates):
    """Return the matrix of gates in their order, each a matrix and its qubits."""
    columns = [
        reduce(lambda world, gate: world.gate(*gate), gates, World(qubits, 0, column))
        for column in np.eye(2**qubits, dtype=complex)
    ]
    return np.array([column.branches[0][0] for column in columns]).T


def two_bits_decide(test, qubits=3):
    """Two random bits, a third qubit turned if they pass a test."""
    world = three_measured(qubits, qubits).measure(0, 0).measure(1, 1)
    return world.when(test, lambda one: one.gate(X, 2)).measure(2, 2)


OPENQASM_3 = {
    # openqasm: examples/inverseqft2.qasm
    "inverse Fourier transform": (
        HEAD_3 + "qubit[3] q;\nbit c0;\nbit c1;\nbit c2;\nreset q;\nry(0.8) q[1];\nh q[0];\n"
        "barrier q;\nh q[0];\nmeasure q[0] -> c0;\nif(c0 == 1) { rz(pi / 2) q[1]; }\nh q[1];\n"
        "measure q[1] -> c1;\nif(c0==1) { rz(pi / 4) q[2]; }\nif(c1==1) { rz(pi / 2) q[2]; }\n"
        "h q[2];\nmeasure q[2] -> c2;\n",
        lambda: World(3, 3).gate(ry(0.8), 1).measure(0, 0).gate(H, 1).measure(1, 1).gate(H, 2)
        .measure(2, 2),
    ),
    # Qiskit/qiskit#16874
    "single qubit before a register": (
        HEAD_3 + "qubit a;\nqubit[2] q;\nbit b;\nbit[2] c;\nh q[1];\nswap q[0], q[1];\n"
        "measure q[0] -> b;\nx a;\nmeasure a -> c[0];\nmeasure q[1] -> c[1];\n",
        lambda: World(3, 3).gate(H, 2).gate(SWAP, 1, 2).measure(1, 0).gate(X, 0).measure(0, 1)
        .measure(2, 2),
    ),
}  # fmt: skip

OPENQASM_2 = {
    # Qiskit/qiskit#11195
    "bit written twice": (
        "qreg q[3];\ncreg c[3];\nz q[0];\nsx q[0];\nswap q[0],q[1];\nmeasure q[1] -> c[2];\n"
        "measure q -> c;\n",
        lambda: World(3, 3).gate(SX, 0).gate(SWAP, 0, 1).measure(1, 2).measure(0, 0).measure(1, 1)
        .measure(2, 2),
    ),
    # Qiskit/qiskit#5905
    "swaps between measurements": (
        "qreg a[1];\nqreg b[2];\ncreg c[3];\nh a[0];\nh b[1];\nswap a[0],b[0];\n"
        "measure a[0] -> c[0];\nmeasure b[0] -> c[1];\nmeasure b[1] -> c[2];\ncx a[0],b[1];\n"
        "swap a[0],b[0];\nmeasure a[0] -> c[0];\nmeasure b[0] -> c[1];\nmeasure b[1] -> c[2];\n",
        lambda: measured(measured(World(3, 3).gate(H, 0).gate(H, 2).gate(SWAP, 0, 1))
                         .gate(controlled(X), 0, 2).gate(SWAP, 0, 1)),
    ),
    # Quantinuum/tket#2109
    "reset after a swap": (
        "qreg q[2];\ncreg c[2];\nh q[1];\nsdg q[1];\nswap q[0],q[1];\nreset q[0];\n"
        "measure q -> c;\n",
        lambda: measured(World(2, 2).gate(H, 1).gate(S.conj(), 1).gate(SWAP, 0, 1).reset(0)),
    ),
    # Quantinuum/pytket-extensions#275
    "condition on the second register": (
        "qreg q[2];\ncreg c[2];\ncreg m[1];\nh q[1];\nmeasure q[1] -> m[0];\nif(m==1) x q[1];\n"
        "h q[0];\ncx q[0],q[1];\nmeasure q[1] -> c[1];\nh q[0];\nmeasure q[0] -> c[0];\n",
        lambda: World(2, 3).gate(H, 1).measure(1, 2)
        .when(lambda bits: bits[2], lambda one: one.gate(X, 1)).gate(H, 0)
        .gate(controlled(X), 0, 1).measure(1, 1).gate(H, 0).measure(0, 0),
    ),
    "condition beyond a register": (
        "qreg q[3];\ncreg c[2];\ncreg r[1];\nh q[0];\nh q[1];\nmeasure q[0] -> c[0];\n"
        "measure q[1] -> c[1];\nif(c==5) x q[2];\nif(c==2) x q[2];\nmeasure q[2] -> r[0];\n",
        lambda: two_bits_decide(lambda bits: number(bits, [0, 1]) == 2),
    ),
    # Qiskit/qiskit#6510
    "opaque delay": (
        "opaque delay(time) q;\nqreg q[2];\ncreg meas[2];\ndelay(172) q[1];\n"
        "u3(1.9,-3.9,1.5) q[1];\nmeasure q -> meas;\n",
        lambda: measured(World(2, 2).gate(u(1.9, -3.9, 1.5), 1)),
    ),
    "keywords of OpenQASM 3 as names": (
        "qreg input[2];\ncreg array[2];\ngate cal a { h a; }\ncal input[0];\n"
        "cx input[0],input[1];\nmeasure input -> array;\n",
        lambda: measured(World(2, 2).gate(H, 0).gate(controlled(X), 0, 1)),
    ),
    "include in a comment": (
        '// include "mylib.inc";\nqreg q[1];\ncreg c[1];\nh q[0];\nmeasure q -> c;\n',
        lambda: measured(World(1, 1).gate(H, 0)),
    ),
}  # fmt: skip

DYNAMIC = {
    # qiskit-ibm-runtime#738, Qiskit/qiskit#15935
    "bit that is overwritten": (
        "qubit[2] q;\nbit[2] c;\nh q[0];\nh q[1];\nc[0] = measure q[0];\nc[0] = measure q[1];\n"
        "if (c[0]) x q[0];\ncx q[0], q[1];\nc[0] = measure q[0];\nc[1] = measure q[1];\n",
        lambda: measured(World(2, 2).gate(H, 0).gate(H, 1).measure(0, 0).measure(1, 0)
                         .when(lambda bits: bits[0], lambda one: one.gate(X, 0))
                         .gate(controlled(X), 0, 1)),
    ),
    # Quantinuum/tket#2004
    "controlled gates where a bit is 0": (
        "qubit[3] q;\nbit[3] c;\nh q[2];\nc[0] = measure q[2];\nif (!c[0]) { ch q[0], q[2]; }\n"
        "rx(1.40553) q[1];\nif (c[0] == 0) { ch q[2], q[0]; } else { ch q[1], q[0]; }\n"
        "c = measure q;\n",
        lambda: measured(
            World(3, 3).gate(H, 2).measure(2, 0)
            .when(lambda bits: not bits[0], lambda one: one.gate(controlled(H), 0, 2))
            .gate(rx(1.40553), 1)
            .when(lambda bits: not bits[0], lambda one: one.gate(controlled(H), 2, 0),
                  lambda one: one.gate(controlled(H), 1, 0))
        ),
    ),
}  # fmt: skip


def rzx(angle):
    """Return rzx with its Z on the first qubit."""
    return np.cos(angle / 2) * np.eye(4) - 1j * np.sin(angle / 2) * np.kron(X, Z)


MATRICES = {
    # Qiskit/qiskit#7749
    "own ecr": (
        "gate rzx(p0) q0,q1 { h q1; cx q0,q1; rz(p0) q1; cx q0,q1; h q1; }\n"
        "gate ecr q0,q1 { rzx(pi/4) q0,q1; x q0; rzx(-pi/4) q0,q1; }\nqreg q[2];\n"
        "ry(0.4) q[0];\necr q[0],q[1];\nrx(0.3) q[0];\n",
        lambda: np.kron(I2, rx(0.3)) @ rzx(-PI / 4) @ np.kron(I2, X) @ rzx(PI / 4)
        @ np.kron(I2, ry(0.4)),
    ),
    # Qiskit/qiskit#3225
    "permutation at the end": (
        "qreg q[4];\nh q[1];\ncx q[0],q[1];\nh q[1];\nh q[3];\ncx q[0],q[3];\nh q[3];\nh q[2];\n"
        "cx q[1],q[2];\nh q[2];\ns q[0];\nh q[0];\nswap q[0],q[2];\n",
        lambda: product_of(4, (H, 1), (controlled(X), 0, 1), (H, 1), (H, 3), (controlled(X), 0, 3),
                           (H, 3), (H, 2), (controlled(X), 1, 2), (H, 2), (S, 0), (H, 0),
                           (SWAP, 0, 2)),
    ),
    # BQSKit/bqskit#114, Quantinuum/tket#190
    "gates of qelib1.inc": (
        "qreg q[4];\nc3sqrtx q[0],q[1],q[2],q[3];\ncu3(0.3,0.4,0.5) q[3],q[0];\n"
        "rzz(1e6) q[1],q[2];\nu0(1) q[1];\ncrz(2*pi) q[0],q[1];\nrx(-12345.6789) q[2];\n"
        "c3x q[3],q[2],q[1],q[0];\n",
        lambda: product_of(4, (controlled(SX, 3), 0, 1, 2, 3),
                           (controlled(u(0.3, 0.4, 0.5)), 3, 0), (rzz(1e6), 1, 2),
                           (controlled(rz(2 * PI)), 0, 1), (rx(-12345.6789), 2),
                           (controlled(X, 3), 3, 2, 1, 0)),
    ),
}  # fmt: skip

DEVICE_CIRCUIT = (
    HEAD_2 + "qreg q[4];\ncreg c[4];\nh q[0];\nry(0.4) q[2];\ncu1(0.8) q[0],q[1];\ncx q[3],q[0];\n"
    "rzz(-0.7) q[1],q[2];\nccx q[0],q[2],q[3];\nmeasure q[3] -> c[0];\nmeasure q[0] -> c[1];\n"
    "measure q[1] -> c[2];\nmeasure q[2] -> c[3];\n"
)


def device_world():
    world = World(4, 4).gate(H, 0).gate(ry(0.4), 2).gate(controlled(phase(0.8)), 0, 1)
    world.gate(controlled(X), 3, 0).gate(rzz(-0.7), 1, 2).gate(controlled(X, 2), 0, 2, 3)
    return world.measure(3, 0).measure(0, 1).measure(1, 2).measure(2, 3)
