-- One card for each call that a person is asked about. Every instant is this database's clock, in milliseconds.
CREATE TABLE agent_approvals (
    id                    BLOB        PRIMARY KEY,
    organization_id       BLOB        NOT NULL,
    run_id                TEXT        NOT NULL CHECK (length(run_id) BETWEEN 1 AND 256),
    turn                  TEXT        NOT NULL CHECK (length(turn) BETWEEN 1 AND 512),
    scope                 TEXT        NOT NULL CHECK (length(scope) BETWEEN 1 AND 128),
    tool                  TEXT        NOT NULL CHECK (length(tool) BETWEEN 1 AND 64),
    effect                TEXT        NOT NULL,
    principal             TEXT        NOT NULL,
    rule                  TEXT        NOT NULL,
    requester_may_decide  INTEGER     NOT NULL,
    approvers             TEXT,
    fingerprint           TEXT        NOT NULL,
    status                TEXT        NOT NULL
        CHECK (status IN ('open', 'approved', 'denied', 'expired', 'withdrawn')),
    proposed_key          BLOB       NOT NULL CHECK (length(proposed_key) = 32),
    proposed_hash         BLOB       NOT NULL CHECK (length(proposed_hash) = 32),
    proposed_shown_hash   BLOB       NOT NULL CHECK (length(proposed_shown_hash) = 32),
    proposed_input        TEXT        NOT NULL,
    edit_request          TEXT,
    edit_requested_by     TEXT,
    edit_refusal          TEXT,
    effective_key         BLOB       NOT NULL CHECK (length(effective_key) = 32),
    effective_hash        BLOB       NOT NULL CHECK (length(effective_hash) = 32),
    effective_shown_hash  BLOB       NOT NULL CHECK (length(effective_shown_hash) = 32),
    effective_input       TEXT        NOT NULL,
    supersedes            BLOB,
    earlier_denial        TEXT,
    asked_at              INTEGER NOT NULL,
    expires_at            INTEGER NOT NULL,
    decided_at            INTEGER,
    decided_by            TEXT,
    reason                TEXT,
    spent_at              INTEGER,
    CONSTRAINT approvals_decision_is_whole
        CHECK ((status IN ('approved', 'denied')) = (decided_by IS NOT NULL AND decided_at IS NOT NULL)
               OR status IN ('expired', 'withdrawn'))
) STRICT;

CREATE UNIQUE INDEX agent_approvals_one_open
    ON agent_approvals (organization_id, run_id, scope, proposed_key) WHERE status = 'open';
CREATE INDEX agent_approvals_of_a_call
    ON agent_approvals (organization_id, run_id, scope, proposed_key, asked_at);
CREATE INDEX agent_approvals_open_by_age
    ON agent_approvals (organization_id, asked_at) WHERE status = 'open';
CREATE INDEX agent_approvals_decided_at ON agent_approvals (coalesce(decided_at, expires_at));
