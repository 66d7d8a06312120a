-- One card for each call that a person is asked about. Every instant is this database's clock.
CREATE TABLE agent.approvals (
    id                    uuid        PRIMARY KEY,
    organization_id       uuid        NOT NULL,
    run_id                text        NOT NULL CHECK (octet_length(run_id) BETWEEN 1 AND 256),
    turn                  text        NOT NULL CHECK (octet_length(turn) BETWEEN 1 AND 512),
    scope                 text        NOT NULL CHECK (octet_length(scope) BETWEEN 1 AND 128),
    tool                  text        NOT NULL CHECK (octet_length(tool) BETWEEN 1 AND 64),
    effect                text        NOT NULL,
    principal             text        NOT NULL,
    rule                  text        NOT NULL,
    requester_may_decide  boolean     NOT NULL,
    approvers             text,
    fingerprint           text        NOT NULL,
    status                text        NOT NULL
        CHECK (status IN ('open', 'approved', 'denied', 'expired', 'withdrawn')),
    proposed_key          bytea       NOT NULL CHECK (octet_length(proposed_key) = 32),
    proposed_hash         bytea       NOT NULL CHECK (octet_length(proposed_hash) = 32),
    proposed_shown_hash   bytea       NOT NULL CHECK (octet_length(proposed_shown_hash) = 32),
    proposed_input        text        NOT NULL,
    edit_request          text,
    edit_requested_by     text,
    edit_refusal          text,
    effective_key         bytea       NOT NULL CHECK (octet_length(effective_key) = 32),
    effective_hash        bytea       NOT NULL CHECK (octet_length(effective_hash) = 32),
    effective_shown_hash  bytea       NOT NULL CHECK (octet_length(effective_shown_hash) = 32),
    effective_input       text        NOT NULL,
    supersedes            uuid,
    earlier_denial        text,
    asked_at              timestamptz NOT NULL,
    expires_at            timestamptz NOT NULL,
    decided_at            timestamptz,
    decided_by            text,
    reason                text,
    spent_at              timestamptz,
    CONSTRAINT approvals_decision_is_whole
        CHECK ((status IN ('approved', 'denied')) = (decided_by IS NOT NULL AND decided_at IS NOT NULL)
               OR status IN ('expired', 'withdrawn'))
);

CREATE UNIQUE INDEX approvals_one_open
    ON agent.approvals (organization_id, run_id, scope, proposed_key) WHERE status = 'open';
CREATE INDEX approvals_of_a_call
    ON agent.approvals (organization_id, run_id, scope, proposed_key, asked_at);
CREATE INDEX approvals_open_by_age
    ON agent.approvals (organization_id, asked_at) WHERE status = 'open';
CREATE INDEX approvals_decided_at ON agent.approvals (coalesce(decided_at, expires_at));
