-- Deletes rows past their retention, at most $1, skipping what another session holds. One row is
-- always returned: how many were read, deleted, and were still processing.
WITH due AS (
    SELECT id
      FROM agent.idempotency_keys
     WHERE retain_until <= now()
     ORDER BY retain_until
     LIMIT $1
       FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM agent.idempotency_keys AS swept
     USING due
     WHERE swept.id = due.id
       AND swept.retain_until <= now()
    RETURNING swept.status
)
SELECT (SELECT count(*) FROM due) AS read,
       count(*) AS deleted,
       count(*) FILTER (WHERE status = 'processing') AS incidents
  FROM gone
