// openqasm: examples/inverseqft2.qasm
OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit c0;
bit c1;
bit c2;
reset q;
ry(0.8) q[1];
h q[0];
barrier q;
h q[0];
measure q[0] -> c0;
if(c0 == true) { rz(pi / 2) q[1]; }
h q[1];
measure q[1] -> c1;
if(c0 == true) { rz(pi / 4) q[2]; }
if(c1 == true) { rz(pi / 2) q[2]; }
h q[2];
measure q[2] -> c2;
