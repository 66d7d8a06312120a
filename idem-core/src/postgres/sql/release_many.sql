-- Forgets many claims that made no effect and that no earlier attempt left in doubt. Zero rows: each is to be released
-- alone, as a claim without a row here is: its lease moved on, it must be kept, or another session has its row locked.
WITH asked AS (
    SELECT *
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS asked (id, organization_id, lease_token)
), held AS MATERIALIZED (
    SELECT claim.id
      FROM agent.idempotency_keys AS claim
      JOIN asked ON asked.id = claim.id
     WHERE claim.organization_id = asked.organization_id
       AND claim.lease_token = asked.lease_token
       AND claim.status = 'processing'
     ORDER BY claim.id
       FOR UPDATE OF claim SKIP LOCKED
)
DELETE FROM agent.idempotency_keys AS claim
 USING held, asked
 WHERE claim.id = held.id
   AND asked.id = held.id
   AND claim.organization_id = asked.organization_id
   AND claim.lease_token = asked.lease_token
   AND claim.status = 'processing'
   AND NOT claim.doubt
   AND claim.epoch = 0
RETURNING claim.id
