-- Events: what was unusually busy, why, what it caused; the calendar of what is expected.

CREATE TABLE event (
    -- Never given twice: messages are named by it for ever.
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    folder_id   INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
    began_at    INTEGER NOT NULL,
    opened_at   INTEGER NOT NULL,
    ended_at    INTEGER,
    -- The visit that showed it and its source; either may be forgotten before the event.
    visit_id    INTEGER,
    source_id   INTEGER REFERENCES source (id) ON DELETE SET NULL,
    detector    TEXT    NOT NULL,
    -- The score of the window that opened it, and of the most unusual one so far.
    opening     TEXT    NOT NULL,
    peak        TEXT    NOT NULL,
    peak_score  REAL    NOT NULL,
    -- The sources whose own burst has already brought others forward, as JSON.
    reacted     TEXT    NOT NULL,
    -- 'confirmed' or 'dismissed' by a person.
    verdict     TEXT,
    judged_at   INTEGER
);
-- A folder has at most one event at a time.
CREATE UNIQUE INDEX event_open ON event (folder_id) WHERE ended_at IS NULL;
CREATE INDEX event_folder ON event (folder_id, id);

-- Complete windows: what was seen of a folder against what was expected.
CREATE TABLE folder_window (
    folder_id   INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
    from_at     INTEGER NOT NULL,
    to_at       INTEGER NOT NULL,
    observed    REAL    NOT NULL,
    expected    REAL    NOT NULL,
    low         REAL    NOT NULL,
    high        REAL    NOT NULL,
    score       REAL    NOT NULL,
    alarm       INTEGER NOT NULL,
    -- What the calendar expected, as a multiple of the usual: part of `expected`.
    multiplier  REAL    NOT NULL,
    PRIMARY KEY (folder_id, from_at)
) WITHOUT ROWID;

-- What the watcher knew at a visit, so that a start need not look at all visits again. One row.
CREATE TABLE watch (
    visit_id    INTEGER NOT NULL,
    settings    TEXT    NOT NULL,
    sights      TEXT    NOT NULL
);
CREATE TABLE watch_folder (
    folder_id   INTEGER PRIMARY KEY REFERENCES folder (id) ON DELETE CASCADE,
    state       TEXT    NOT NULL
);

-- The calendar: at these times a folder is expected to differ from the usual.
CREATE TABLE expected (
    id          INTEGER PRIMARY KEY,
    folder_id   INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
    kind        TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    from_at     INTEGER NOT NULL,
    to_at       INTEGER NOT NULL,
    -- Typed by a person; NULL: estimated from past entries of the kind.
    multiplier  REAL,
    uncertainty REAL,
    -- A second import brings an entry up to date.
    UNIQUE (folder_id, title, from_at)
);
CREATE INDEX expected_from ON expected (from_at);

-- The event that caused a visit.
ALTER TABLE visit ADD COLUMN event_id INTEGER;
CREATE INDEX visit_event ON visit (event_id) WHERE event_id IS NOT NULL;
-- The event that causes the next visit, and what the policy had planned instead.
ALTER TABLE source ADD COLUMN event_id INTEGER;
ALTER TABLE source ADD COLUMN base_at INTEGER;
ALTER TABLE source ADD COLUMN base_reason TEXT;
-- The first article of the same story, if this one is a copy.
ALTER TABLE article ADD COLUMN story_id INTEGER;
-- Seen by a visit that only caught up: the first to a source, or one after a long silence. No part of any event.
ALTER TABLE article ADD COLUMN caught_up INTEGER NOT NULL DEFAULT 0;
CREATE INDEX article_story ON article (story_id) WHERE story_id IS NOT NULL;
CREATE INDEX article_visit ON article (visit_id);
