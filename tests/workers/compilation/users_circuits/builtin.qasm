OPENQASM 2.0;
qreg q[2];
U(0.3, 0.2, 0.1) q[0];
CX q[0], q[1];
