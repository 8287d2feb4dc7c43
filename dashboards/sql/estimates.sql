SELECT
  j.id AS "job",
  j.program,
  j.backend,
  j.estimation->>'observable' AS "observable",
  j.estimation->>'estimator' AS "estimator",
  concat_ws(' · ', j.estimate->>'method', j.estimate->>'encoding', nullif(j.estimate->>'variant', ''))
    AS "circuit",
  e.value AS "estimate",
  e.low AS "from",
  e.high AS "to",
  e.exact,
  abs(e.value - e.exact) AS "off by",
  CASE WHEN e.exact BETWEEN e.low AND e.high THEN 'yes' ELSE 'no' END AS "holds",
  e.calls,
  e.sampling AS "sampling takes",
  e.sampling / e.calls AS "a call is worth",
  (j.estimate->>'deepest')::int AS "iterates",
  j.finished_at AS "ended"
FROM jobs AS j,
LATERAL (
  SELECT
    (j.estimate->>'estimate')::float AS value,
    (j.estimate->>'low')::float AS low,
    (j.estimate->>'high')::float AS high,
    (j.estimate->>'exact')::float AS exact,
    (j.estimate->>'calls')::float AS calls,
    (j.estimate->>'sampling_calls')::float AS sampling
) AS e
WHERE j.estimate IS NOT NULL
  AND j.program IN (${program:sqlstring})
  AND regexp_replace(j.backend, ':[0-9.]+(?=:|$)', '', 'g') IN (${backend:sqlstring})
ORDER BY j.id DESC
LIMIT 200
