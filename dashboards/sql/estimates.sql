SELECT
  j.id AS "job",
  j.program,
  j.backend,
  j.request->>'observable' AS "observable",
  j.request->>'estimator' AS "estimator",
  concat_ws(' · ', j.result->>'method', j.result->>'encoding', nullif(j.result->>'variant', ''))
    AS "circuit",
  e.value AS "estimate",
  e.low AS "from",
  e.high AS "to",
  e.exact,
  abs(e.value - e.exact) AS "error",
  CASE WHEN e.exact BETWEEN e.low AND e.high THEN 'yes' ELSE 'no' END AS "covers",
  e.calls,
  e.sampling AS "samples for ±",
  e.sampling / e.calls AS "samples per call",
  (j.result->>'deepest')::int AS "iterates",
  j.finished_at AS "ended"
FROM jobs AS j,
LATERAL (
  SELECT
    (j.result->>'estimate')::float AS value,
    (j.result->>'low')::float AS low,
    (j.result->>'high')::float AS high,
    (j.result->>'exact')::float AS exact,
    (j.result->>'calls')::float AS calls,
    (j.result->>'sampling_calls')::float AS sampling
) AS e
WHERE j.kind = 'estimation' AND j.result IS NOT NULL
  AND j.program IN (${program:sqlstring})
  AND regexp_replace(j.backend, ':[0-9.]+(?=:|$)', '', 'g') IN (${backend:sqlstring})
ORDER BY j.id DESC
LIMIT 200
