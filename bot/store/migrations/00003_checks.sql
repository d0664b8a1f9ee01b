-- +goose Up

-- What we meant to conclude of a commit, written before it is said, and what became
-- of it: one check for a commit of a repository.
CREATE TABLE checks (
    repo        TEXT    NOT NULL, -- owner/name, as the event had it
    commit_sha  TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('intended', 'failed', 'said')),
    mark        TEXT    NOT NULL, -- says what was concluded
    url         TEXT    NOT NULL DEFAULT '',
    intended_at INTEGER NOT NULL,
    said_at     INTEGER,
    unknown_at  INTEGER, -- as in replies
    PRIMARY KEY (repo, commit_sha)
);

-- +goose Down
DROP TABLE checks;
