OPENQASM 3.0;
include "stdgates.inc";
bit c;
h $0;
cx $0, $2;
ry(0.2) $1;
c = measure $2;
