OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
h q;
cu(0.3, 0.2, 0.1, 0.4) q[0], q[1];
cphase(0.3) q[1], q[0];
