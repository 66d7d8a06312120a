-- Takes a run whose last segment's lease has ended. It is ready until its owner leaves it, so that one who vanishes leaves
-- it to the next. Zero rows: it is owned, has ended, or is not there.
UPDATE agent.runs
   SET segment_token = $3,
       segment_expires_at = now() + $4::bigint * interval '1 microsecond',
       segments = segments + 1,
       status = 'ready',
       waits_for = NULL
 WHERE organization_id = $1 AND run_id = $2
   AND ended_at IS NULL
   AND (segment_expires_at IS NULL OR segment_expires_at <= now())
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > now(), false) AS live,
       coalesce((extract(epoch FROM segment_expires_at - now()) * 1000000)::bigint, 0) AS lease_left_us,
       (extract(epoch FROM deadline_at - now()) * 1000000)::bigint AS time_left_us
