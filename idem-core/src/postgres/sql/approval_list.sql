-- The cards of an organization, the oldest first. Zero rows: there are none of that kind.
SELECT id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > now() AS current
  FROM agent.approvals
 WHERE organization_id = $1
   AND ($2::text IS NULL OR scope = $2)
   AND asked_at <= now() - $3::bigint * interval '1 microsecond'
   AND ($4 OR (status = 'open' AND expires_at > now()))
 ORDER BY asked_at, id
 LIMIT $5
