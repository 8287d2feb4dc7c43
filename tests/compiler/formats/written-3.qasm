// a comment
OPENQASM 3.0;
include "stdgates.inc";
gate flip a, b { ctrl @ x a, b; }
qubit[3] q;
bit[2] c;
h q[0];
flip q[0], q[2];
sx q[1];
c[0] = measure q[2];
c[1] = measure q[1];
