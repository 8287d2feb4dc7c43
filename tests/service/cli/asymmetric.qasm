OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[3] c;
ry(0.7) q[0];
cx q[0], q[1];
ry(0.4) q[1];
cx q[1], q[2];
c = measure q;
