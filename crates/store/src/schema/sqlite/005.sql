-- Watches: continual queries on parts of a source's page, and what they saw change. (The table `watch` is what
-- watching folders remembers.)

CREATE TABLE part_watch (
    -- Never given twice: messages are named by it for ever.
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id   INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    -- What it looks at, when, until when and what it tells, as JSON of what a person typed.
    terms       TEXT    NOT NULL,
    -- Counted up when it must see its page afresh: what a visit under way saw before that is not taken.
    revision    INTEGER NOT NULL DEFAULT 1,
    unseen      INTEGER NOT NULL DEFAULT 1,
    paused      INTEGER NOT NULL DEFAULT 0,
    ended_at    INTEGER,
    ended_why   TEXT,
    created_at  INTEGER NOT NULL,
    -- What it has seen and told, as JSON.
    course      TEXT    NOT NULL
);
CREATE INDEX part_watch_source ON part_watch (source_id);

CREATE TABLE part_change (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    watch_id        INTEGER NOT NULL REFERENCES part_watch (id) ON DELETE CASCADE,
    -- The visit that showed it; it may be forgotten before.
    visit_id        INTEGER NOT NULL,
    at              INTEGER NOT NULL,
    kind            TEXT    NOT NULL,
    told            INTEGER NOT NULL,
    -- Why it was told or not.
    why             TEXT    NOT NULL,
    -- What it is compared with was so at this time.
    since_at        INTEGER,
    hash            INTEGER NOT NULL,
    number_before   REAL,
    number          REAL,
    -- The beginning of the part as it was then.
    text            TEXT    NOT NULL,
    diff            TEXT    NOT NULL
);
CREATE INDEX part_change_watch ON part_change (watch_id, id);
CREATE INDEX part_change_told ON part_change (id) WHERE told = 1;

-- Whoever is told of events wants to be told by the watches that are yet to be made.
UPDATE channel SET wants = json_insert(wants, '$[#]', 'watch_changed', '$[#]', 'watch_gone', '$[#]', 'watch_ended')
    WHERE wants LIKE '%"event_opened"%';

-- What the server asked for at the last visit: not before this. Plans that change without a visit keep to it.
ALTER TABLE source ADD COLUMN earliest_at INTEGER;
