-- Decides an open card: the first decision, before its expiry, on what was shown, by somebody whom the
-- rule allows. Zero rows: one of these does not hold; approval_get.sql tells which.
UPDATE agent.approvals
   SET status = $4,
       decided_at = now(),
       decided_by = $5,
       reason = $6
 WHERE organization_id = $1
   AND id = $2
   AND effective_shown_hash = $3
   AND status = 'open'
   AND expires_at > now()
   AND (requester_may_decide OR principal <> $5)
   AND (approvers IS NULL OR approvers::jsonb ? $5)
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > now() AS current
