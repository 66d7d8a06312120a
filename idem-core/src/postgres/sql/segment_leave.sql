-- Ends the owner's lease and says how the run goes on: it rests no longer than it may last. Zero rows: it is another's, or the run has ended.
UPDATE agent.runs
   SET segment_expires_at = NULL,
       status = $4,
       waits_for = $5,
       due_at = least(now() + $6::bigint * interval '1 microsecond', deadline_at),
       failures = $7
 WHERE organization_id = $1 AND run_id = $2
   AND segment_token = $3
   AND ended_at IS NULL
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > now(), false) AS live,
       coalesce((extract(epoch FROM segment_expires_at - now()) * 1000000)::bigint, 0) AS lease_left_us,
       (extract(epoch FROM deadline_at - now()) * 1000000)::bigint AS time_left_us
