-- Notes that an approved call has its answer. Zero rows: it was noted before, or nobody said yes, or it was
-- taken back.
UPDATE agent_approvals
   SET spent_at = (SELECT now_ms FROM agent_clock)
 WHERE organization_id = $1
   AND id = $2
   AND status IN ('approved', 'expired')
   AND decided_at IS NOT NULL
   AND spent_at IS NULL
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > (SELECT now_ms FROM agent_clock) AS current
