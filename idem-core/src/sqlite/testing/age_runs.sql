-- Moves every instant of every run back, of all organizations: the database is a test's own. Zero rows:
-- there is no run.
UPDATE agent_runs
   SET segment_expires_at = segment_expires_at - $1,
       due_at = due_at - $1,
       cancel_requested_at = cancel_requested_at - $1,
       created_at = created_at - $1,
       deadline_at = deadline_at - $1,
       ended_at = ended_at - $1,
       retain_until = retain_until - $1
