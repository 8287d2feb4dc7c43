"""Tables of the basis states that many runs have amplitudes for."""
