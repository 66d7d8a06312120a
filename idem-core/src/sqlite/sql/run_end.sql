-- Ends a run: its owner, or anybody while nobody owns it; where a place is given, only if no message came behind it. Zero
-- rows: it is another's, has ended, has such a message, or is not there.
UPDATE agent_runs
   SET status = $4,
       reason = $5,
       segment_expires_at = NULL,
       waits_for = NULL,
       ended_at = (SELECT now_ms FROM agent_clock)
 WHERE organization_id = $1 AND run_id = $2
   AND ended_at IS NULL
   AND ($6 IS NULL OR last_place <= $6)
   AND (segment_token = $3
     OR ($3 IS NULL AND (segment_expires_at IS NULL OR segment_expires_at <= (SELECT now_ms FROM agent_clock))))
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > (SELECT now_ms FROM agent_clock), false) AS live,
       coalesce((segment_expires_at - (SELECT now_ms FROM agent_clock)) * 1000, 0) AS lease_left_us,
       (deadline_at - (SELECT now_ms FROM agent_clock)) * 1000 AS time_left_us
