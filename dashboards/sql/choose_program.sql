SELECT DISTINCT program FROM jobs WHERE parent_id IS NULL ORDER BY program
