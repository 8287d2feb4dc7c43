SELECT DISTINCT program FROM jobs ORDER BY program
