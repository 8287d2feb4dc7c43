// Quantinuum/tket#2109
OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
creg c[2];
h q[1];
sdg q[1];
swap q[0],q[1];
reset q[0];
measure q -> c;
