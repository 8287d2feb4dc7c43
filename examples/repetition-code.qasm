// A bit in a repetition code of three qubits, through two rounds of errors that are found and
// mended on the way; the two ancillas are used again in each round.
OPENQASM 3.0;
include "stdgates.inc";
qubit[3] data;
qubit[2] ancilla;
bit[2] syndrome;
bit[3] out;

ry(1.1) data[0];
cx data[0], data[1];
cx data[0], data[2];
for int turn in [0:1] {
  rx(0.3) data[turn];
  for int i in [0:1] {
    cx data[i], ancilla[i];
    cx data[i + 1], ancilla[i];
  }
  syndrome = measure ancilla;
  reset ancilla;
  switch (syndrome) {
    case 1 { x data[0]; }
    case 3 { x data[1]; }
    case 2 { x data[2]; }
  }
}
out = measure data;
