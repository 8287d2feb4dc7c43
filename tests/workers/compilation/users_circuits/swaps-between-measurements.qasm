// Qiskit/qiskit#5905
OPENQASM 2.0;
include "qelib1.inc";
qreg a[1];
qreg b[2];
creg c[3];
h a[0];
h b[1];
swap a[0],b[0];
measure a[0] -> c[0];
measure b[0] -> c[1];
measure b[1] -> c[2];
cx a[0],b[1];
swap a[0],b[0];
measure a[0] -> c[0];
measure b[0] -> c[1];
measure b[1] -> c[2];
