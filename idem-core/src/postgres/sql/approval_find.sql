-- The card that speaks about a call: a decision about this very content first, unless another card replaced
-- it; then the newest one under the key. An open one may be of another turn. Zero rows: nobody was asked.
SELECT id, organization_id, run_id, turn, scope, tool, effect, principal, rule,
       requester_may_decide, approvers, fingerprint, status, proposed_key, proposed_hash,
       proposed_shown_hash, proposed_input, edit_request, edit_requested_by, edit_refusal,
       effective_key, effective_hash, effective_shown_hash, effective_input, supersedes,
       earlier_denial, asked_at, expires_at, decided_at, decided_by, reason, spent_at,
       expires_at > now() AS current
  FROM agent.approvals AS card
 WHERE organization_id = $1 AND run_id = $2 AND scope = $4 AND proposed_key = $5
   AND (turn = $3 OR status = 'open')
 ORDER BY (proposed_hash = $6
           AND ((status = 'approved' AND principal = $8)
                OR (status = 'denied' AND proposed_shown_hash = $7))
           AND NOT EXISTS (
               SELECT 1 FROM agent.approvals AS later
                WHERE later.organization_id = $1 AND later.run_id = $2 AND later.scope = $4
                  AND later.proposed_key = $5 AND later.supersedes = card.id)) DESC,
          asked_at DESC, id DESC
 LIMIT 1
