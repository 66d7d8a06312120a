-- How long ago a logical turn began. Zero rows: it has not.
SELECT (extract(epoch FROM now() - started_at) * 1000000)::bigint AS age_us
  FROM agent.turns
 WHERE organization_id = $1 AND turn = $2
