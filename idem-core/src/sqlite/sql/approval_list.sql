-- The cards of an organization, the oldest first. Zero rows: there are none of that kind.
SELECT id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > (SELECT now_ms FROM agent_clock) AS current
  FROM agent_approvals
 WHERE organization_id = $1
   AND ($2 IS NULL OR scope = $2)
   AND asked_at <= (SELECT now_ms FROM agent_clock) - $3
   AND ($4 OR (status = 'open' AND expires_at > (SELECT now_ms FROM agent_clock)))
 ORDER BY asked_at, id
 LIMIT $5
