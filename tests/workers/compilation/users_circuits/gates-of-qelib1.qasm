// BQSKit/bqskit#114, Quantinuum/tket#190
OPENQASM 2.0;
include "qelib1.inc";
qreg q[4];
c3sqrtx q[0],q[1],q[2],q[3];
cu3(0.3,0.4,0.5) q[3],q[0];
rzz(1e6) q[1],q[2];
u0(1) q[1];
crz(2*pi) q[0],q[1];
rx(-12345.6789) q[2];
c3x q[3],q[2],q[1],q[0];
