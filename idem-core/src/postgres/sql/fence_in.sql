-- Locks the claim that this worker owns for the rest of the effect's transaction: whoever would take it over
-- waits for the end. Zero rows: the lease moved on; do not write.
SELECT id
  FROM agent.idempotency_keys
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
   FOR UPDATE
