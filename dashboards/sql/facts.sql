SELECT f.fact, f.value
FROM jobs AS j
LEFT JOIN compilations AS c ON c.id = j.compilation_id
CROSS JOIN LATERAL (
  VALUES
    (1, 'program', j.program),
    (2, 'target', j.target),
    (3, 'backend', j.backend),
    (4, 'shots', j.shots::text),
    (5, 'seed', j.seed::text),
    (6, 'tag', j.tag),
    (7, 'retry of job', j.retry_of::text),
    (8, 'submitted', to_char(j.created_at, 'YYYY-MM-DD HH24:MI:SS TZ')),
    (9, 'sent to the backend', to_char(j.submitted_at, 'YYYY-MM-DD HH24:MI:SS TZ')),
    (10, 'ended', to_char(j.finished_at, 'YYYY-MM-DD HH24:MI:SS TZ')),
    (11, 'id at the provider', j.provider_id),
    (12, 'state at the provider', j.provider_state),
    (13, 'place in the provider''s queue', j.queue_position::text),
    (14, 'estimated cost', to_char(j.estimated_cost_microusd / 1e6, 'FM999990.00') || ' USD'),
    (15, 'maximum cost', to_char(j.max_cost_microusd / 1e6, 'FM999990.00') || ' USD'),
    (16, 'run time', round(j.run_seconds::numeric, 3) || ' s'),
    (17, 'temporary failures in this state', nullif(j.failures, 0)::text),
    (18, 'parent job', j.parent_id::text),
    (19, 'estimated observable', CASE j.kind WHEN 'estimation' THEN j.request->>'observable' END),
    (20, 'estimate', (SELECT format(
      '%s [%s, %s]', round((j.result->>'estimate')::numeric, 4),
      round((j.result->>'low')::numeric, 4), round((j.result->>'high')::numeric, 4)
    ) WHERE j.kind = 'estimation' AND j.result IS NOT NULL)),
    (21, 'calibration digest', c.calibration_digest),
    (22, 'calibrated', to_char(c.calibrated_at, 'YYYY-MM-DD HH24:MI:SS TZ')),
    (23, 'calibration age at submission', round(extract(
      epoch FROM coalesce(j.submitted_at, j.finished_at, now()) - c.calibrated_at
    )::numeric / 3600, 1) || ' h'),
    (24, 'executed program', j.executed || coalesce(': ' || j.executed_detail, '')),
    (25, 'error', j.error)
) AS f (place, fact, value)
WHERE j.id = ${job:sqlstring} AND f.value IS NOT NULL
ORDER BY f.place
