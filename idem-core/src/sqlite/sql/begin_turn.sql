-- Writes down when a logical turn began, once. Zero rows: it had begun before; read turn_age.sql.
INSERT INTO agent_turns (organization_id, turn, started_at)
VALUES ($1, $2, (SELECT now_ms FROM agent_clock))
ON CONFLICT (organization_id, turn) DO NOTHING
RETURNING organization_id
