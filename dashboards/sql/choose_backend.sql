-- Without numeric parts, as in metrics: links from there lead here.
SELECT DISTINCT regexp_replace(backend, ':[0-9.]+(?=:|$)', '', 'g') AS backend FROM jobs ORDER BY 1
