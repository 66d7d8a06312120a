-- Moves every instant of every run back, of all organizations: the database is a test's own. Zero rows:
-- there is no run.
UPDATE agent.runs
   SET segment_expires_at = segment_expires_at - $1::bigint * interval '1 microsecond',
       due_at = due_at - $1::bigint * interval '1 microsecond',
       cancel_requested_at = cancel_requested_at - $1::bigint * interval '1 microsecond',
       created_at = created_at - $1::bigint * interval '1 microsecond',
       deadline_at = deadline_at - $1::bigint * interval '1 microsecond',
       ended_at = ended_at - $1::bigint * interval '1 microsecond',
       retain_until = retain_until - $1::bigint * interval '1 microsecond'
