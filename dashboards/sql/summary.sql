SELECT
  j.state,
  extract(epoch FROM coalesce(j.finished_at, now()) - j.created_at)::float AS "submission to end",
  j.shots,
  (SELECT normalized_fidelity FROM scores WHERE job_id = j.id AND kind = 'raw')
    AS "normalised fidelity",
  (SELECT normalized_fidelity FROM scores WHERE job_id = j.id AND kind = 'post_selected')
    AS "post-selected",
  c.two_qubit_gates AS "two-qubit gates",
  c.expected_fidelity AS "expected fidelity",
  j.estimated_cost_microusd / 1e6::float AS "estimated cost"
FROM jobs AS j
LEFT JOIN candidates AS c ON c.compilation_id = j.compilation_id AND c.chosen
WHERE j.id = ${job:sqlstring}
