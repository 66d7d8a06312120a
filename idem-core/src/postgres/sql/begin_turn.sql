-- Writes down when a logical turn began, once. Zero rows: it had begun before; read turn_age.sql.
INSERT INTO agent.turns (organization_id, turn, started_at)
VALUES ($1, $2, now())
ON CONFLICT (organization_id, turn) DO NOTHING
RETURNING organization_id
