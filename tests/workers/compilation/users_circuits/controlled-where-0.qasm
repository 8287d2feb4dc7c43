// Quantinuum/tket#2004
OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[3] c;
h q[2];
c[0] = measure q[2];
if (!c[0]) { ch q[0], q[2]; }
rx(1.40553) q[1];
if (c[0] == false) { ch q[2], q[0]; } else { ch q[1], q[0]; }
c = measure q;
