-- +goose Up

-- When a failed delivery is tried again; NULL: it waits for its first attempt, or it is finished.
ALTER TABLE deliveries ADD COLUMN retry_at INTEGER;

-- The delivery that brought the version that is known: the order of arrival.
ALTER TABLE tickets ADD COLUMN arrival INTEGER NOT NULL DEFAULT 0;

-- The last moment of an attempt whose outcome nobody saw; NULL: none, or it was looked into since.
ALTER TABLE replies ADD COLUMN unknown_at INTEGER;

-- +goose Down
ALTER TABLE replies DROP COLUMN unknown_at;
ALTER TABLE tickets DROP COLUMN arrival;
ALTER TABLE deliveries DROP COLUMN retry_at;
