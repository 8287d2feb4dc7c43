-- Measured bits, bit 0 on the right; as decimal numbers where there are more than 60.
WITH measured AS (
  SELECT key, value::bigint AS shots
  FROM jobs, json_each_text(CASE json_typeof(counts) WHEN 'object' THEN counts END)
  WHERE id = ${job:sqlstring}
),
written AS (
  SELECT
    CASE WHEN max(length(key)) OVER () <= 18 THEN key::bigint::bit(60)::text ELSE key END AS outcome,
    shots
  FROM measured
),
width AS (SELECT max(length(ltrim(outcome, '0'))) AS bits FROM written)
SELECT right(outcome, greatest(bits, 1)) AS outcome, shots
FROM written, width
ORDER BY shots DESC, outcome
LIMIT 32
