OPENQASM 2.0;
include "qelib1.inc";
gate card_play(a, b) p, q { ry(a) p; cx p, q; rz(b) q; }
gate hand_play p { h p; }
qreg q[2];
hand_play q[0];
card_play(0.3, 0.5) q[1], q[0];
hand_play q[1];
