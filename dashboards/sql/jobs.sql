SELECT
  j.id AS "job",
  j.state,
  j.program,
  j.backend,
  j.shots,
  j.tag,
  (SELECT normalized_fidelity FROM scores WHERE job_id = j.id AND kind = 'raw')
    AS "normalised fidelity",
  extract(epoch FROM coalesce(j.finished_at, now()) - j.created_at)::float AS "submission to end",
  j.created_at AS "submitted",
  j.error
FROM jobs AS j
WHERE j.parent_id IS NULL
  AND j.program IN (${program:sqlstring})
  AND regexp_replace(j.backend, ':[0-9.]+(?=:|$)', '', 'g') IN (${backend:sqlstring})
ORDER BY j.id DESC
LIMIT 100
