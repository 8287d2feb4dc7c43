// Quantinuum/pytket-extensions#275
OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
creg c[2];
creg m[1];
h q[1];
measure q[1] -> m[0];
if(m==1) x q[1];
h q[0];
cx q[0],q[1];
measure q[1] -> c[1];
h q[0];
measure q[0] -> c[0];
