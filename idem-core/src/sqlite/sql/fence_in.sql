-- Looks, inside the effect's transaction, whether this worker still owns the claim. The transaction is the
-- writer already, so nobody can take the claim over before it ends. Zero rows: the lease moved on; do not write.
SELECT id
  FROM agent_idempotency_keys
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
