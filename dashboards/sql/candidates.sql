SELECT
  CASE WHEN c.chosen THEN '★' ELSE '' END AS "chosen",
  c.pipeline,
  c.seed,
  c.synthesis,
  c.two_qubit_gates AS "two-qubit gates",
  c.two_qubit_depth AS "two-qubit depth",
  c.depth,
  c.gates,
  c.qubits,
  c.expected_fidelity AS "expected fidelity",
  c.verified,
  c.lower_seconds AS "lowering",
  c.verify_seconds AS "proving",
  c.detail
FROM candidates AS c
JOIN jobs AS j ON j.compilation_id = c.compilation_id
WHERE j.id = ${job:sqlstring}
ORDER BY c.chosen DESC, c.two_qubit_gates, c.id
