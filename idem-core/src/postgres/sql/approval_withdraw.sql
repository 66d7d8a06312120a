-- Takes a card back that is open, or approved and not spent, before its time is over. Zero rows: it is
-- none of these.
UPDATE agent.approvals
   SET status = 'withdrawn',
       reason = $3
 WHERE organization_id = $1
   AND id = $2
   AND spent_at IS NULL
   AND status IN ('open', 'approved')
   AND expires_at > now()
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > now() AS current
