SELECT
  replace(kind, '_', ' ') AS "scored",
  shots,
  normalized_fidelity AS "normalised fidelity",
  hellinger_fidelity AS "Hellinger fidelity",
  tvd AS "total variation distance",
  legal_fraction AS "legal",
  p_win AS "P(win)",
  p_win_low AS "from",
  p_win_high AS "to",
  p_win_exact AS "exact",
  points,
  points_exact AS "points, exact"
FROM scores
WHERE job_id = ${job:sqlstring}
ORDER BY id
