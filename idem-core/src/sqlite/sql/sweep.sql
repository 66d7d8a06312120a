-- Deletes rows past their retention, at most $1. Zero rows: nothing was due. The store has one
-- writer, so what is read is what is deleted.
DELETE FROM agent_idempotency_keys
 WHERE id IN (
        SELECT id
          FROM agent_idempotency_keys
         WHERE retain_until <= (SELECT now_ms FROM agent_clock)
         ORDER BY retain_until
         LIMIT $1)
   AND retain_until <= (SELECT now_ms FROM agent_clock)
RETURNING status
