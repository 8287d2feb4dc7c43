OPENQASM 2.0;
include "qelib1.inc";
qreg q[4];
h q[0];
ccx q[0], q[1], q[2];
ccx q[1], q[3], q[0];
