OPENQASM 3.0;
include "stdgates.inc";
gphase(0.4);
qubit[2] q;
gate g a { gphase(0.3); rx(0.2) a; }
h q[0];
ctrl @ g q[0], q[1];
ctrl @ gphase(pi / 3) q[0];
negctrl @ gphase(0.2) q[1];
