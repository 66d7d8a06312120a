-- Looks for one answer of a scope in a run. Zero rows: no call of the scope has its answer there.
SELECT 1
  FROM agent.idempotency_keys
 WHERE organization_id = $1 AND run_id = $2 AND scope = $3
   AND status = 'completed' AND retain_until > now()
 LIMIT 1
