-- Several processes work on the same data: who they are, and what each of them holds.

ALTER TABLE committed RENAME COLUMN opened_at TO seen_at;

-- A row for each process that works, from its start until it stops or is gone. Times are the database's own.
CREATE TABLE worker (
    name        TEXT    COLLATE "C" PRIMARY KEY,
    label       TEXT    COLLATE "C" NOT NULL,
    roles       TEXT    COLLATE "C" NOT NULL,
    started_at  BIGINT  NOT NULL,
    seen_at     BIGINT  NOT NULL,
    figures     TEXT    COLLATE "C" NOT NULL,
    demand      TEXT    COLLATE "C"
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- The worker that runs a crawl, and the one that serves a channel until a time.
ALTER TABLE crawl ADD COLUMN lease_owner TEXT COLLATE "C";
ALTER TABLE channel ADD COLUMN lease_owner TEXT COLLATE "C";
ALTER TABLE channel ADD COLUMN lease_until BIGINT;
