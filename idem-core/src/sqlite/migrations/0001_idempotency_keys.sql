-- The plane's one table and the start of each logical turn.
-- Every instant is this database's clock, in milliseconds since 1970; a caller passes durations only.
CREATE VIEW agent_clock AS
SELECT CAST(round(unixepoch('now', 'subsec') * 1000) AS INTEGER) AS now_ms;

CREATE TABLE agent_idempotency_keys (
    id                  BLOB    NOT NULL PRIMARY KEY,
    organization_id     BLOB    NOT NULL CHECK (length(organization_id) = 16),
    scope               TEXT    NOT NULL CHECK (length(scope) BETWEEN 1 AND 128),
    key                 BLOB    NOT NULL CHECK (length(key) = 32),
    key_text            TEXT    CHECK (length(CAST(key_text AS BLOB)) <= 512),
    request_hash        BLOB    NOT NULL CHECK (length(request_hash) = 32),
    hash_version        INTEGER NOT NULL,
    status              TEXT    NOT NULL CHECK (status IN ('processing', 'completed')),
    lease_token         BLOB    NOT NULL CHECK (length(lease_token) = 16),
    attempt             INTEGER NOT NULL CHECK (attempt >= 1),
    epoch               INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    epoch_started_at    INTEGER,
    doubt               INTEGER NOT NULL DEFAULT 0 CHECK (doubt IN (0, 1)),
    claimed_at          INTEGER NOT NULL,
    first_claimed_at    INTEGER NOT NULL,
    dispatched_at       INTEGER,
    first_dispatched_at INTEGER,
    lease_expires_at    INTEGER NOT NULL,
    retain_until        INTEGER NOT NULL,
    completed_at        INTEGER,
    outcome_kind        TEXT    CHECK (outcome_kind IN ('answer', 'outcome_unknown', 'not_stored')),
    response            BLOB,
    response_encoding   INTEGER,
    resource_type       TEXT,
    resource_id         TEXT,
    settled_as          TEXT    CHECK (settled_as IN ('happened', 'did_not_happen')),
    settled_at          INTEGER,
    settled_by          TEXT,
    settled_note        TEXT,
    settled_response    BLOB,
    run_id              TEXT,
    principal           TEXT,
    trace_id            BLOB    CHECK (length(trace_id) = 16),
    input               BLOB,
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
) STRICT;

CREATE INDEX agent_idempotency_keys_retain_until ON agent_idempotency_keys (retain_until);

CREATE TABLE agent_turns (
    organization_id BLOB    NOT NULL,
    turn            TEXT    NOT NULL CHECK (length(turn) BETWEEN 1 AND 512),
    started_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, turn)
) STRICT, WITHOUT ROWID;

CREATE INDEX agent_turns_started_at ON agent_turns (started_at);
