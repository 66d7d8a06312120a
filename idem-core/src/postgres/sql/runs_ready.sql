-- The runs for which a segment can do something now. Zero rows: there are none.
SELECT organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > now(), false) AS live,
       coalesce((extract(epoch FROM segment_expires_at - now()) * 1000000)::bigint, 0) AS lease_left_us,
       (extract(epoch FROM deadline_at - now()) * 1000000)::bigint AS time_left_us
  FROM agent.runs AS r
 WHERE ended_at IS NULL
   AND ($1::uuid IS NULL OR organization_id = $1)
   AND due_at <= now()
   AND (segment_expires_at IS NULL OR segment_expires_at <= now())
   AND (status = 'ready'
     OR cancel_requested_at IS NOT NULL
     OR deadline_at <= now()
     OR (status = 'waiting' AND EXISTS (
            SELECT 1 FROM agent.approvals AS a
             WHERE a.organization_id = r.organization_id
               AND a.run_id = r.run_id
               AND (a.status <> 'open' OR a.edit_request IS NOT NULL OR a.expires_at <= now())
               AND position(replace(a.id::text, '-', '') IN r.waits_for) > 0))
     OR ((status = 'idle' OR (status = 'waiting' AND on_message = 'ends_the_turn')) AND EXISTS (
            SELECT 1 FROM agent.run_messages AS m
             WHERE m.organization_id = r.organization_id
               AND m.run_id = r.run_id
               AND m.place > coalesce((
                   SELECT max(t.upto) FROM agent.run_turns AS t
                    WHERE t.organization_id = r.organization_id AND t.run_id = r.run_id), 0))))
 ORDER BY due_at, run_id
 LIMIT $2
