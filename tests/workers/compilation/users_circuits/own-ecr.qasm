// Qiskit/qiskit#7749
OPENQASM 2.0;
include "qelib1.inc";
gate rzx(p0) q0,q1 { h q1; cx q0,q1; rz(p0) q1; cx q0,q1; h q1; }
gate ecr q0,q1 { rzx(pi/4) q0,q1; x q0; rzx(-pi/4) q0,q1; }
qreg q[2];
ry(0.4) q[0];
ecr q[0],q[1];
rx(0.3) q[0];
