-- An event lasts until the next; the last one until now, unless the job has ended.
SELECT
  e.at,
  e.state,
  extract(epoch FROM coalesce(
    lead(e.at) OVER (ORDER BY e.id), CASE WHEN j.finished_at IS NULL THEN now() ELSE e.at END
  ) - e.at)::float AS lasted,
  e.detail
FROM events AS e
JOIN jobs AS j ON j.id = e.job_id
WHERE j.id = ${job:sqlstring}
ORDER BY e.id
