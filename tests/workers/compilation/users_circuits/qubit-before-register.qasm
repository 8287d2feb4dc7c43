// Qiskit/qiskit#16874
OPENQASM 3.0;
include "stdgates.inc";
qubit a;
qubit[2] q;
bit b;
bit[2] c;
h q[1];
swap q[0], q[1];
b = measure q[0];
x a;
c[0] = measure a;
c[1] = measure q[1];
