-- Takes back every card of a run that is open, or approved and not spent, before its time is over. Zero
-- rows: there is none.
UPDATE agent.approvals
   SET status = 'withdrawn',
       reason = $3
 WHERE organization_id = $1 AND run_id = $2
   AND spent_at IS NULL
   AND status IN ('open', 'approved')
   AND expires_at > now()
RETURNING id
