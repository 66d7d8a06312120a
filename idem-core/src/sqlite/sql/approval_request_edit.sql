-- Asks for other arguments on an open card; a process that has the tool checks them. Zero rows: as in
-- approval_decide.sql.
UPDATE agent_approvals
   SET edit_request = $4,
       edit_requested_by = $5,
       edit_refusal = NULL
 WHERE organization_id = $1
   AND id = $2
   AND effective_shown_hash = $3
   AND status = 'open'
   AND expires_at > (SELECT now_ms FROM agent_clock)
   AND (requester_may_decide OR principal <> $5)
   AND (approvers IS NULL OR $5 IN (SELECT value FROM json_each(approvers)))
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > (SELECT now_ms FROM agent_clock) AS current
