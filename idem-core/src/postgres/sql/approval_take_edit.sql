-- Makes the arguments that were asked for the ones that would run, after they were checked. Zero rows:
-- another edit was asked for meanwhile, or the card is decided.
UPDATE agent.approvals
   SET effective_key = $4,
       effective_hash = $5,
       effective_shown_hash = $6,
       effective_input = $7,
       edit_request = NULL
 WHERE organization_id = $1
   AND id = $2
   AND edit_request = $3
   AND status = 'open'
   AND expires_at > now()
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > now() AS current
