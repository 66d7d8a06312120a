-- Stores the answer of the claim that holds this token. Zero rows: the lease moved on, or this very
-- completion is already stored; get.sql tells which.
UPDATE agent_idempotency_keys
   SET status = 'completed',
       completed_at = (SELECT now_ms FROM agent_clock),
       outcome_kind = $4,
       response = $5,
       response_encoding = $6,
       resource_type = $7,
       resource_id = $8
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
RETURNING completed_at
