-- Moves the beginning of every turn back, of all organizations: the database is a test's own.
-- Zero rows: no turn has begun.
UPDATE agent.turns
   SET started_at = started_at - $1::bigint * interval '1 microsecond'
