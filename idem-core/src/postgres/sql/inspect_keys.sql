-- The rows whose keys lie in a range, the newest claim first. Zero rows: no key of this organization does.
SELECT id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > now() AS live, retain_until > now() AS kept,
       (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us,
       (extract(epoch FROM now() - epoch_started_at) * 1000000)::bigint AS epoch_age_us,
       scope, key, key_text, lease_expires_at, retain_until, settled_note, input
  FROM agent.idempotency_keys
 WHERE organization_id = $1
   AND key BETWEEN $2 AND $3
   AND ($4::text IS NULL OR scope = $4)
 ORDER BY claimed_at DESC, id DESC
 LIMIT $5
