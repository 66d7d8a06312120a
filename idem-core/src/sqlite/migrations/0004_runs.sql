-- Runs, the messages that came in for them, and the turns that answer these. Every instant is this database's clock, in milliseconds.
CREATE TABLE agent_runs (
    organization_id      BLOB NOT NULL,
    run_id               TEXT NOT NULL CHECK (length(run_id) BETWEEN 1 AND 256),
    principal            TEXT NOT NULL CHECK (length(principal) BETWEEN 1 AND 256),
    start_key            TEXT CHECK (length(start_key) BETWEEN 1 AND 512),
    status               TEXT NOT NULL
        CHECK (status IN ('ready', 'waiting', 'idle', 'completed', 'failed', 'cancelled')),
    reason               TEXT,
    starts_at_once       INTEGER NOT NULL,
    keeps_open           INTEGER NOT NULL,
    on_message           TEXT NOT NULL CHECK (on_message IN ('queues', 'ends_the_turn')),
    segments             INTEGER NOT NULL DEFAULT 0,
    failures             INTEGER NOT NULL DEFAULT 0,
    segment_token        BLOB,
    segment_expires_at   INTEGER,
    waits_for            TEXT,
    due_at               INTEGER NOT NULL,
    cancel_requested_at  INTEGER,
    cancel_requested_by  TEXT,
    created_at           INTEGER NOT NULL,
    deadline_at          INTEGER NOT NULL,
    ended_at             INTEGER,
    retain_until         INTEGER NOT NULL,
    last_place           INTEGER NOT NULL DEFAULT 0, -- of its messages
    PRIMARY KEY (organization_id, run_id),
    CONSTRAINT agent_runs_end_is_whole
        CHECK ((status IN ('completed', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
    CONSTRAINT agent_runs_segment_has_a_token
        CHECK (segment_expires_at IS NULL OR segment_token IS NOT NULL),
    CONSTRAINT agent_runs_wait_for_something
        CHECK ((status = 'waiting') = (waits_for IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX agent_runs_start_key ON agent_runs (organization_id, start_key) WHERE start_key IS NOT NULL;
CREATE INDEX agent_runs_due_at ON agent_runs (due_at) WHERE ended_at IS NULL;
CREATE INDEX agent_runs_retain_until ON agent_runs (retain_until);

CREATE TABLE agent_run_messages (
    organization_id  BLOB NOT NULL,
    run_id           TEXT NOT NULL,
    message_id       TEXT NOT NULL CHECK (length(message_id) BETWEEN 1 AND 256),
    place            INTEGER NOT NULL CHECK (place > 0),
    kind             TEXT NOT NULL CHECK (kind IN ('user', 'news')),
    body             TEXT NOT NULL,
    received_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, message_id),
    CONSTRAINT agent_run_messages_places UNIQUE (organization_id, run_id, place),
    FOREIGN KEY (organization_id, run_id) REFERENCES agent_runs ON DELETE CASCADE
) STRICT;

CREATE TRIGGER agent_run_messages_last_place AFTER INSERT ON agent_run_messages BEGIN
    UPDATE agent_runs SET last_place = NEW.place
     WHERE organization_id = NEW.organization_id AND run_id = NEW.run_id;
END;

CREATE TABLE agent_run_turns (
    organization_id  BLOB NOT NULL,
    run_id           TEXT NOT NULL,
    number           INTEGER NOT NULL CHECK (number > 0),
    turn             TEXT NOT NULL CHECK (length(turn) BETWEEN 1 AND 512),
    upto             INTEGER NOT NULL CHECK (upto >= 0),
    began_at         INTEGER NOT NULL,
    ended_at         INTEGER,
    PRIMARY KEY (organization_id, run_id, number),
    FOREIGN KEY (organization_id, run_id) REFERENCES agent_runs ON DELETE CASCADE
) STRICT;
