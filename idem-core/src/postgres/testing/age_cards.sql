-- Moves every instant of every card back, of all organizations: the database is a test's own.
-- Zero rows: no card is stored.
UPDATE agent.approvals
   SET asked_at = asked_at - $1::bigint * interval '1 microsecond',
       expires_at = expires_at - $1::bigint * interval '1 microsecond',
       decided_at = decided_at - $1::bigint * interval '1 microsecond',
       spent_at = spent_at - $1::bigint * interval '1 microsecond'
