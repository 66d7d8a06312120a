-- Writes down why the arguments that were asked for cannot run. Zero rows: as in approval_take_edit.sql.
UPDATE agent_approvals
   SET edit_request = NULL,
       edit_refusal = $4
 WHERE organization_id = $1
   AND id = $2
   AND edit_request = $3
   AND status = 'open'
   AND expires_at > (SELECT now_ms FROM agent_clock)
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > (SELECT now_ms FROM agent_clock) AS current
