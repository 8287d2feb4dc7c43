OPENQASM 3.0;
include "stdgates.inc";
qubit q;
bit c;
sx q;
rz(0.3) q;
sx q;
c = measure q;
