-- The plane's one table and the start of each logical turn.
-- Every instant is this database's clock; a caller passes durations only.
CREATE TABLE agent.idempotency_keys (
    id                  uuid        PRIMARY KEY,
    organization_id     uuid        NOT NULL,
    scope               text        NOT NULL CHECK (octet_length(scope) BETWEEN 1 AND 128),
    key                 bytea       NOT NULL CHECK (octet_length(key) = 32),
    key_text            text        CHECK (octet_length(key_text) <= 512),
    request_hash        bytea       NOT NULL CHECK (octet_length(request_hash) = 32),
    hash_version        smallint    NOT NULL,
    status              text        NOT NULL CHECK (status IN ('processing', 'completed')),
    lease_token         uuid        NOT NULL,
    attempt             integer     NOT NULL CHECK (attempt >= 1),
    epoch               integer     NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    epoch_started_at    timestamptz,
    doubt               boolean     NOT NULL DEFAULT false,
    claimed_at          timestamptz NOT NULL,
    first_claimed_at    timestamptz NOT NULL,
    dispatched_at       timestamptz,
    first_dispatched_at timestamptz,
    lease_expires_at    timestamptz NOT NULL,
    retain_until        timestamptz NOT NULL,
    completed_at        timestamptz,
    outcome_kind        text        CHECK (outcome_kind IN ('answer', 'outcome_unknown', 'not_stored')),
    response            bytea,
    response_encoding   smallint,
    resource_type       text,
    resource_id         text,
    settled_as          text        CHECK (settled_as IN ('happened', 'did_not_happen')),
    settled_at          timestamptz,
    settled_by          text,
    settled_note        text,
    settled_response    bytea,
    run_id              text,
    principal           text,
    trace_id            bytea       CHECK (octet_length(trace_id) = 16),
    input               bytea,
    CONSTRAINT idempotency_keys_identity UNIQUE (organization_id, scope, key),
    CONSTRAINT idempotency_keys_two_clocks CHECK (retain_until >= lease_expires_at),
    CONSTRAINT idempotency_keys_resource_is_whole
        CHECK ((resource_type IS NULL) = (resource_id IS NULL)),
    CONSTRAINT idempotency_keys_response_is_whole
        CHECK ((response IS NULL) = (response_encoding IS NULL)),
    CONSTRAINT idempotency_keys_completion_records
        CHECK (status = 'processing' OR (outcome_kind IS NOT NULL AND completed_at IS NOT NULL
               AND (response IS NOT NULL OR resource_type IS NOT NULL))),
    CONSTRAINT idempotency_keys_processing_answers_nothing
        CHECK (status = 'completed' OR (outcome_kind IS NULL AND completed_at IS NULL
               AND response IS NULL AND resource_type IS NULL)),
    CONSTRAINT idempotency_keys_settlement_is_whole
        CHECK ((settled_as IS NULL) = (settled_at IS NULL))
);

CREATE INDEX idempotency_keys_retain_until ON agent.idempotency_keys (retain_until);

CREATE TABLE agent.turns (
    organization_id uuid        NOT NULL,
    turn            text        NOT NULL CHECK (octet_length(turn) BETWEEN 1 AND 512),
    started_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, turn)
);

CREATE INDEX turns_started_at ON agent.turns (started_at);
