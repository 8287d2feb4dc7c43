OPENQASM 2.0;
gate cx a, b { CX b, a; CX a, b; CX b, a; }
gate h a { U(0.4, 0.1, 0) a; }
qreg q[2];
creg c[2];
h q[0];
cx q[0], q[1];
h q[0];
measure q -> c;
