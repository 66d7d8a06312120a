-- Ends a run: its owner, or anybody while nobody owns it; where a place is given, only if no message came behind it. Zero
-- rows: it is another's, has ended, has such a message, or is not there.
UPDATE agent.runs
   SET status = $4,
       reason = $5,
       segment_expires_at = NULL,
       waits_for = NULL,
       ended_at = now()
 WHERE organization_id = $1 AND run_id = $2
   AND ended_at IS NULL
   AND ($6::integer IS NULL OR last_place <= $6)
   AND (segment_token = $3
     OR ($3::uuid IS NULL AND (segment_expires_at IS NULL OR segment_expires_at <= now())))
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > now(), false) AS live,
       coalesce((extract(epoch FROM segment_expires_at - now()) * 1000000)::bigint, 0) AS lease_left_us,
       (extract(epoch FROM deadline_at - now()) * 1000000)::bigint AS time_left_us
