-- Moves every instant of every card back, of all organizations: the database is a test's own.
-- Zero rows: no card is stored.
UPDATE agent_approvals
   SET asked_at = asked_at - $1,
       expires_at = expires_at - $1,
       decided_at = decided_at - $1,
       spent_at = spent_at - $1
