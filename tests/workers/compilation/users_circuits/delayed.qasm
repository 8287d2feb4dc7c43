OPENQASM 2.0;
include "qelib1.inc";
gate delay(t) a { rx(t) a; }
qreg q[2];
delay(2) q[1];
h q[0];
