WITH events_of_job AS (
  SELECT
    e.id,
    e.state,
    coalesce(lead(e.at) OVER (ORDER BY e.id), j.finished_at, now()) - e.at AS lasted
  FROM events AS e
  JOIN jobs AS j ON j.id = e.job_id
  WHERE j.id = ${job:sqlstring}
)
SELECT replace(state, '_', ' ') AS state, sum(extract(epoch FROM lasted))::float AS "time"
FROM events_of_job
WHERE state NOT IN ('done', 'failed', 'cancelled')
GROUP BY state
ORDER BY min(id)
