// A GHZ state of four qubits in constant depth: neighbours are compared, and corrected by what
// the comparisons said. The four even qubits end in (|0000⟩ + |1111⟩)/√2.
OPENQASM 3.0;
include "stdgates.inc";
qubit[7] q;
bit[3] unequal;
bit[4] out;

for int i in {0, 2, 4, 6} { h q[i]; }
for int i in [0:2] {
  cx q[2*i], q[2*i + 1];
  cx q[2*i + 2], q[2*i + 1];
}
for int i in [0:2] { unequal[i] = measure q[2*i + 1]; }
if (unequal[0]) { x q[2]; }
if (unequal[0] ^ unequal[1]) { x q[4]; }
if (unequal[0] ^ unequal[1] ^ unequal[2]) { x q[6]; }
for int i in [0:3] { out[i] = measure q[2*i]; }
