SELECT id::text AS __value, '#' || id || ' ' || program || ' on ' || backend || ': ' || state AS __text
FROM jobs
WHERE parent_id IS NULL
  AND program IN (${program:sqlstring})
  AND regexp_replace(backend, ':[0-9.]+(?=:|$)', '', 'g') IN (${backend:sqlstring})
ORDER BY id DESC
LIMIT 500
