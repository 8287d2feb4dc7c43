OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
creg c[2];
h q[0];
cx q[0], q[2];
sx q[1];
measure q[2] -> c[0];
measure q[1] -> c[1];
