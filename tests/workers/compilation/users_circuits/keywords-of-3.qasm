OPENQASM 2.0;
include "qelib1.inc";
qreg input[2];
creg c[2];
gate cal a { h a; }
cal input[0];
cx input[0],input[1];
measure input -> c; // include "mylib.inc";
