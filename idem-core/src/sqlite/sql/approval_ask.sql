-- Opens a card. Zero rows: one is open for this call already; read it with approval_find.sql.
INSERT INTO agent_approvals (
    id, organization_id, run_id, turn, scope, tool, effect, principal, rule, requester_may_decide,
    approvers, fingerprint, status, proposed_key, proposed_hash, proposed_shown_hash,
    proposed_input, effective_key, effective_hash, effective_shown_hash, effective_input,
    supersedes, earlier_denial, asked_at, expires_at
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
    $11, $12, 'open', $13, $14, $15,
    $16, $13, $14, $15, $16,
    $17, $18, (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock) + $19
)
ON CONFLICT (organization_id, run_id, scope, proposed_key) WHERE status = 'open' DO NOTHING
RETURNING id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > (SELECT now_ms FROM agent_clock) AS current
