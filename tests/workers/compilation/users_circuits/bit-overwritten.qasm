// qiskit-ibm-runtime#738, Qiskit/qiskit#15935
OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[2] c;
h q[0];
h q[1];
c[0] = measure q[0];
c[0] = measure q[1];
if (c[0]) x q[0];
cx q[0], q[1];
c[0] = measure q[0];
c[1] = measure q[1];
