OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
h q;
pow(1.0 / 2.0) @ cx q[0], q[1];
pow(-2) @ t q[0];
