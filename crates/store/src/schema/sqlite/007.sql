-- Several processes work on the same data: who they are, and what each of them holds.

-- A row for each process that works, from its start until it stops or is gone. Times are the database's own.
CREATE TABLE worker (
    name        TEXT    PRIMARY KEY,
    label       TEXT    NOT NULL,
    roles       TEXT    NOT NULL,
    started_at  INTEGER NOT NULL,
    seen_at     INTEGER NOT NULL,
    figures     TEXT    NOT NULL,
    demand      TEXT
);

-- The worker that runs a crawl, and the one that serves a channel until a time.
ALTER TABLE crawl ADD COLUMN lease_owner TEXT;
ALTER TABLE channel ADD COLUMN lease_owner TEXT;
ALTER TABLE channel ADD COLUMN lease_until INTEGER;
