SELECT f.fact, f.value
FROM jobs AS j
JOIN compilations AS c ON c.id = j.compilation_id
LEFT JOIN candidates AS n ON n.compilation_id = c.id AND n.chosen
CROSS JOIN LATERAL (
  VALUES
    (1, 'compilation', c.id::text),
    (2, 'compiled', to_char(c.created_at, 'YYYY-MM-DD HH24:MI:SS TZ')),
    (3, 'method', c.method),
    (4, 'encoding', c.encoding),
    (5, 'objective', c.objective),
    (6, 'input', CASE WHEN c.any_input THEN 'any input' ELSE '|0…0⟩ only' END),
    (7, 'disabled', nullif(c.without::text, '[]')),
    (8, 'pipeline', n.pipeline || ', seed ' || n.seed),
    (9, 'proof', CASE
      WHEN n.verified = 'sampled' THEN 'sampled'
      WHEN n.verified = 'exact' AND c.program_verified IN ('exact', 'given') THEN 'exact'
      ELSE 'unverified'
    END),
    (10, 'qubits', n.qubits::text),
    (11, 'two-qubit gates, depth', n.two_qubit_gates || ', ' || n.two_qubit_depth),
    (12, 'gates, depth', n.gates || ', ' || n.depth),
    (13, 'duration', round(n.duration_ns::numeric / 1000, 1) || ' µs'),
    (14, 'expected fidelity', round(n.expected_fidelity::numeric, 3)::text),
    (15, 'compile time', round(c.compile_seconds::numeric, 2) || ' s'),
    (16, 'revision', c.revision),
    (17, 'versions', (
      SELECT string_agg(key || ' ' || value, ', ' ORDER BY key) FROM json_each_text(c.versions)
    ))
) AS f (place, fact, value)
WHERE j.id = ${job:sqlstring} AND f.value IS NOT NULL
ORDER BY f.place
