-- +goose Up

-- One row per webhook request, saved before it is understood.
CREATE TABLE deliveries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    source      TEXT    NOT NULL,
    tenant      TEXT    NOT NULL,
    delivery_id TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    body        BLOB    NOT NULL,
    received_at INTEGER NOT NULL, -- microseconds since 1970, as all times here
    status      TEXT    NOT NULL DEFAULT 'received' CHECK (status IN ('received', 'done', 'ignored', 'failed')),
    reason      TEXT    NOT NULL DEFAULT '',
    finished_at INTEGER,
    UNIQUE (source, tenant, delivery_id)
);
CREATE INDEX deliveries_by_status ON deliveries (status, id);

-- One row per ticket, as its newest version reads.
CREATE TABLE tickets (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    system     TEXT    NOT NULL,
    tenant     TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    version    TEXT    NOT NULL,
    ticket     TEXT    NOT NULL, -- JSON
    target     TEXT    NOT NULL, -- JSON
    updated_at INTEGER NOT NULL,
    UNIQUE (system, tenant, key)
);
CREATE INDEX tickets_by_key ON tickets (key);

-- What was answered, and for which version. Rows are never changed.
CREATE TABLE decisions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    ticket_id  INTEGER NOT NULL REFERENCES tickets (id),
    version    TEXT    NOT NULL,
    verdict    TEXT    NOT NULL,
    decision   TEXT    NOT NULL, -- JSON, pointsman.decision/v1
    decided_at INTEGER NOT NULL
);
CREATE INDEX decisions_by_ticket ON decisions (ticket_id, id);

-- +goose StatementBegin
CREATE TRIGGER decisions_are_final BEFORE UPDATE ON decisions
BEGIN
    SELECT RAISE(ABORT, 'decisions are append-only');
END;
-- +goose StatementEnd

-- What we meant to say where, written before it is said, and what became of it.
CREATE TABLE replies (
    ticket_id   INTEGER NOT NULL REFERENCES tickets (id),
    channel     TEXT    NOT NULL,
    decision_id INTEGER NOT NULL REFERENCES decisions (id),
    state       TEXT    NOT NULL CHECK (state IN ('intended', 'failed', 'said')),
    body_hash   TEXT    NOT NULL,
    marker      TEXT    NOT NULL,
    comment_id  TEXT    NOT NULL DEFAULT '',
    url         TEXT    NOT NULL DEFAULT '',
    intended_at INTEGER NOT NULL,
    said_at     INTEGER,
    PRIMARY KEY (ticket_id, channel)
);

-- +goose Down
DROP TABLE replies;
DROP TRIGGER decisions_are_final;
DROP TABLE decisions;
DROP TABLE tickets;
DROP TABLE deliveries;
