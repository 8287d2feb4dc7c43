OPENQASM 2.0;
include "qelib1.inc";
gate swap a, b { cx a, b; }
gate p(t) a { ry(t) a; }
gate sx a { h a; }
gate rzz(t) a, b { cx a, b; rx(t) b; }
qreg q[3];
sx q[0];
swap q[0], q[1];
p(0.7) q[2];
rzz(0.3) q[2], q[1];
