-- Runs, the messages that came in for them, and the turns that answer these. Every instant is this database's clock.
CREATE TABLE agent.runs (
    organization_id      uuid NOT NULL,
    run_id               text NOT NULL CHECK (octet_length(run_id) BETWEEN 1 AND 256),
    principal            text NOT NULL CHECK (octet_length(principal) BETWEEN 1 AND 256),
    start_key            text CHECK (octet_length(start_key) BETWEEN 1 AND 512),
    status               text NOT NULL
        CHECK (status IN ('ready', 'waiting', 'idle', 'completed', 'failed', 'cancelled')),
    reason               text,
    starts_at_once       boolean NOT NULL,
    keeps_open           boolean NOT NULL,
    on_message           text NOT NULL CHECK (on_message IN ('queues', 'ends_the_turn')),
    segments             integer NOT NULL DEFAULT 0,
    failures             integer NOT NULL DEFAULT 0,
    segment_token        uuid,
    segment_expires_at   timestamptz,
    waits_for            text,
    due_at               timestamptz NOT NULL,
    cancel_requested_at  timestamptz,
    cancel_requested_by  text,
    created_at           timestamptz NOT NULL,
    deadline_at          timestamptz NOT NULL,
    ended_at             timestamptz,
    retain_until         timestamptz NOT NULL,
    last_place           integer NOT NULL DEFAULT 0, -- of its messages: a post and an end meet on this row
    PRIMARY KEY (organization_id, run_id),
    CONSTRAINT runs_end_is_whole
        CHECK ((status IN ('completed', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
    CONSTRAINT runs_segment_has_a_token
        CHECK (segment_expires_at IS NULL OR segment_token IS NOT NULL),
    CONSTRAINT runs_wait_for_something
        CHECK ((status = 'waiting') = (waits_for IS NOT NULL))
);

CREATE UNIQUE INDEX runs_start_key ON agent.runs (organization_id, start_key) WHERE start_key IS NOT NULL;
CREATE INDEX runs_due_at ON agent.runs (due_at) WHERE ended_at IS NULL;
CREATE INDEX runs_retain_until ON agent.runs (retain_until);

CREATE TABLE agent.run_messages (
    organization_id  uuid NOT NULL,
    run_id           text NOT NULL,
    message_id       text NOT NULL CHECK (octet_length(message_id) BETWEEN 1 AND 256),
    place            integer NOT NULL CHECK (place > 0),
    kind             text NOT NULL CHECK (kind IN ('user', 'news')),
    body             text NOT NULL,
    received_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, message_id),
    CONSTRAINT run_messages_places UNIQUE (organization_id, run_id, place),
    FOREIGN KEY (organization_id, run_id) REFERENCES agent.runs ON DELETE CASCADE
);

CREATE TABLE agent.run_turns (
    organization_id  uuid NOT NULL,
    run_id           text NOT NULL,
    number           integer NOT NULL CHECK (number > 0),
    turn             text NOT NULL CHECK (octet_length(turn) BETWEEN 1 AND 512),
    upto             integer NOT NULL CHECK (upto >= 0),
    began_at         timestamptz NOT NULL,
    ended_at         timestamptz,
    PRIMARY KEY (organization_id, run_id, number),
    FOREIGN KEY (organization_id, run_id) REFERENCES agent.runs ON DELETE CASCADE
);
