-- Takes a whole row over under a new id, for the one reason given: it is past its retention, it
-- lapsed without doubt and other content is asked for, or a person settled that its effect did not
-- happen. Zero rows: the reason no longer holds; read again.
UPDATE agent.idempotency_keys
   SET id = $6,
       request_hash = $7,
       hash_version = $8,
       status = 'processing',
       lease_token = $9,
       attempt = 1,
       epoch = CASE WHEN $5 = 'past_retention' THEN 0 ELSE epoch + 1 END,
       epoch_started_at = CASE WHEN $12 THEN now() END,
       doubt = false,
       claimed_at = now(),
       first_claimed_at = now(),
       dispatched_at = CASE WHEN $12 THEN now() END,
       first_dispatched_at = CASE WHEN $12 THEN now() END,
       lease_expires_at = now() + $10::bigint * interval '1 microsecond',
       retain_until = now() + greatest($11::bigint, $10::bigint) * interval '1 microsecond',
       completed_at = NULL,
       outcome_kind = NULL,
       response = NULL,
       response_encoding = NULL,
       resource_type = NULL,
       resource_id = NULL,
       settled_as = NULL,
       settled_at = NULL,
       settled_by = NULL,
       settled_note = NULL,
       settled_response = NULL,
       run_id = $13,
       principal = $14,
       trace_id = $15,
       input = $16
 WHERE organization_id = $1 AND scope = $2 AND key = $3
   AND lease_token = $4
   AND (
        ($5 = 'past_retention' AND retain_until <= now())
     OR ($5 = 'other_content' AND status = 'processing' AND lease_expires_at <= now()
         AND dispatched_at IS NULL AND NOT doubt AND retain_until > now())
     OR ($5 = 'reopened' AND status = 'completed' AND settled_as = 'did_not_happen'
         AND retain_until > now())
   )
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > now() AS live, retain_until > now() AS kept,
       (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us,
       (extract(epoch FROM now() - epoch_started_at) * 1000000)::bigint AS epoch_age_us
