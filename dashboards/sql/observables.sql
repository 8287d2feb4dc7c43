SELECT
  observables.name AS "observable",
  replace(scores.kind, '_', ' ') AS "scored",
  measured,
  low AS "from",
  high AS "to",
  exact,
  bound AS "classical bound",
  sigmas AS "σ over the bound"
FROM observables
JOIN scores ON scores.id = observables.score_id
WHERE scores.job_id = ${job:sqlstring}
ORDER BY observables.place, scores.id
