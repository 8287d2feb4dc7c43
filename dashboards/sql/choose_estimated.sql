SELECT DISTINCT regexp_replace(backend, ':[0-9.]+(?=:|$)', '', 'g') AS backend
FROM jobs
WHERE kind = 'estimation' AND result IS NOT NULL
  AND program IN (${program:sqlstring})
  AND regexp_replace(backend, ':[0-9.]+(?=:|$)', '', 'g') IN (${backend:sqlstring})
ORDER BY 1
