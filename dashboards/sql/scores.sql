SELECT
  replace(scores.kind, '_', ' ') AS "scored",
  shots,
  normalized_fidelity AS "normalised fidelity",
  hellinger_fidelity AS "Hellinger fidelity",
  tvd AS "total variation distance",
  legal_fraction AS "legal"
FROM scores
WHERE job_id = ${job:sqlstring}
ORDER BY id
