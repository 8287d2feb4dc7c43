OPENQASM 2.0;
gate x a { U(0.2, 0, 0) a; }
gate y a { x a; x a; }
gate z a, b { y a; CX a, b;y b; }
qreg q[2];
creg c[2];
z q[0], q[1];
x q[0];
measure q[0] -> c[1];
