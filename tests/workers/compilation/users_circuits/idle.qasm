OPENQASM 2.0;
include "qelib1.inc";
qreg q[4];
creg c[4];
h q[1];
cx q[1], q[3];
measure q[3] -> c[0];
measure q[2] -> c[1];
