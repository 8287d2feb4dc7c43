-- The half-width of sampling is proportional to 1 / sqrt(calls).
SELECT
  e.calls AS "calls",
  CASE WHEN e.estimator = 'bayesian' THEN e.half END AS "bayesian",
  CASE WHEN e.estimator = 'counting' THEN e.half END AS "counting",
  nullif(abs(e.value - e.exact), 0) AS "error",
  e.half * sqrt(e.sampling / e.calls) AS "sampling"
FROM jobs AS j,
LATERAL (
  SELECT
    j.request->>'estimator' AS estimator,
    (j.result->>'estimate')::float AS value,
    ((j.result->>'high')::float - (j.result->>'low')::float) / 2 AS half,
    (j.result->>'exact')::float AS exact,
    (j.result->>'calls')::float AS calls,
    (j.result->>'sampling_calls')::float AS sampling
) AS e
WHERE j.kind = 'estimation' AND j.result IS NOT NULL
  AND j.program IN (${program:sqlstring})
  AND regexp_replace(j.backend, ':[0-9.]+(?=:|$)', '', 'g') IN (${estimated:sqlstring})
ORDER BY e.calls
LIMIT 500
