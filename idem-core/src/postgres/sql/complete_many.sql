-- Stores many answers. Zero rows: each is to be completed alone, as a claim without a row here is: its lease moved on,
-- it is stored already, or another session has its row locked. The rows are locked in the order of their ids, so that
-- two groups never wait for each other.
WITH asked AS (
    SELECT *
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::smallint[], $7::text[], $8::text[])
           AS asked (id, organization_id, lease_token, outcome_kind, response, response_encoding, resource_type,
                     resource_id)
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
UPDATE agent.idempotency_keys AS claim
   SET status = 'completed',
       completed_at = now(),
       outcome_kind = asked.outcome_kind,
       response = asked.response,
       response_encoding = asked.response_encoding,
       resource_type = asked.resource_type,
       resource_id = asked.resource_id
  FROM held
  JOIN asked ON asked.id = held.id
 WHERE claim.id = held.id
   AND claim.organization_id = asked.organization_id
   AND claim.lease_token = asked.lease_token
   AND claim.status = 'processing'
RETURNING claim.id, claim.completed_at
