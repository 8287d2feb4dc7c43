SELECT
  to_char(s.place, 'FM00') || ' ' || (s.step ->> 'name') AS "pass",
  (s.step ->> 'two_qubit_gates')::int AS "two-qubit gates",
  (s.step ->> 'two_qubit_depth')::int AS "two-qubit depth",
  (s.step ->> 'seconds')::float AS "time",
  CASE WHEN (s.step ->> 'from_zero')::boolean THEN '|0…0⟩ only' ELSE '' END AS "input"
FROM jobs AS j
JOIN candidates AS c ON c.compilation_id = j.compilation_id AND c.chosen
CROSS JOIN LATERAL json_array_elements(c.steps) WITH ORDINALITY AS s (step, place)
WHERE j.id = ${job:sqlstring}
ORDER BY s.place
