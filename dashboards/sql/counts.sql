-- Measured bits, bit 0 on the right; as decimal numbers where there are more than 60.
WITH measured AS (
  SELECT c.number, c.shots::bigint AS shots
  FROM jobs AS j
  CROSS JOIN LATERAL json_each_text(CASE json_typeof(j.counts) WHEN 'object' THEN j.counts END)
    AS c (number, shots)
  WHERE j.id = ${job:sqlstring}
),
written AS (
  SELECT
    CASE
      WHEN max(length(number)) OVER () <= 18 THEN number::bigint::bit(60)::text ELSE number
    END AS outcome,
    shots
  FROM measured
),
width AS (SELECT max(length(ltrim(outcome, '0'))) AS bits FROM written)
SELECT right(outcome, greatest(bits, 1)) AS outcome, shots
FROM written
CROSS JOIN width
ORDER BY shots DESC, outcome
LIMIT 32
