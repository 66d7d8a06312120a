-- Writes down what a person or a reconcile job found out. A lapsed row is completed by it
-- and its owner is fenced out; a completed unknown outcome keeps its first answer and gets the settlement beside it. Zero rows: there is
-- nothing to settle (absent, live, answered, or settled before).
UPDATE agent.idempotency_keys
   SET completed_at = coalesce(completed_at, now()),
       outcome_kind = CASE WHEN status = 'completed' THEN outcome_kind
                           WHEN $4 = 'happened' THEN 'answer'
                           ELSE 'outcome_unknown' END,
       response = CASE WHEN status = 'completed' THEN response ELSE $7 END,
       response_encoding = CASE WHEN status = 'completed' THEN response_encoding ELSE $8 END,
       resource_type = CASE WHEN status = 'completed' THEN resource_type ELSE $10 END,
       resource_id = CASE WHEN status = 'completed' THEN resource_id ELSE $11 END,
       settled_as = $4,
       settled_at = now(),
       settled_by = $5,
       settled_note = $6,
       settled_response = $7,
       lease_token = CASE WHEN status = 'completed' THEN lease_token ELSE $9 END,
       status = 'completed'
 WHERE organization_id = $1 AND scope = $2 AND key = $3
   AND settled_at IS NULL
   AND retain_until > now()
   AND ((status = 'processing' AND lease_expires_at <= now())
     OR (status = 'completed' AND outcome_kind = 'outcome_unknown'))
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > now() AS live, retain_until > now() AS kept,
       (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us,
       (extract(epoch FROM now() - epoch_started_at) * 1000000)::bigint AS epoch_age_us
