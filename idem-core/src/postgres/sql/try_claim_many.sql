-- Claims many keys that nobody holds, in the order of the unique index, so that two groups never wait for each other.
-- Zero rows: every key is taken; read them with get.sql.
INSERT INTO agent.idempotency_keys (
    id, organization_id, scope, key, key_text, request_hash, hash_version, status, lease_token,
    attempt, claimed_at, first_claimed_at, lease_expires_at, retain_until, dispatched_at,
    first_dispatched_at, epoch_started_at, run_id, principal, trace_id, input
)
SELECT id, organization_id, scope, key, key_text, request_hash, $7, 'processing', lease_token,
       1, now(), now(), now() + lease_us * interval '1 microsecond',
       now() + greatest(retain_us, lease_us) * interval '1 microsecond', CASE WHEN dispatched THEN now() END,
       CASE WHEN dispatched THEN now() END, CASE WHEN dispatched THEN now() END, run_id, principal, trace_id, input
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::bytea[], $8::uuid[], $9::bigint[],
              $10::bigint[], $11::boolean[], $12::text[], $13::text[], $14::bytea[], $15::bytea[])
       AS asked (id, organization_id, scope, key, key_text, request_hash, lease_token, lease_us,
                 retain_us, dispatched, run_id, principal, trace_id, input)
 ORDER BY organization_id, scope, key
ON CONFLICT (organization_id, scope, key) DO NOTHING
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > now() AS live, retain_until > now() AS kept,
       (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us,
       (extract(epoch FROM now() - epoch_started_at) * 1000000)::bigint AS epoch_age_us
