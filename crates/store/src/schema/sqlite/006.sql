-- Discovery: topics, crawls, the URLs they know, the pages they found, and what of these is worth watching.

CREATE TABLE topic (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE COLLATE NOCASE,
    -- As people gave it, as JSON.
    topic       TEXT    NOT NULL,
    -- What crawls have taught it, as JSON of the learner; NULL if nothing.
    learner     TEXT,
    -- Counted up when people replace it: what was learned about the one before is not taken over.
    version     INTEGER NOT NULL DEFAULT 1,
    created_at  INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL
);

CREATE TABLE crawl (
    -- Never given twice: folders of output are named by it.
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The topic may be changed or removed while the crawl goes on with its own.
    topic_name  TEXT    NOT NULL,
    -- The version of the stored topic it began with; NULL if it is not stored.
    topic_version INTEGER,
    settings    TEXT    NOT NULL,
    seeds       TEXT    NOT NULL,
    -- Where files go; NULL for none.
    output      TEXT,
    -- running, stopped, finished or paused, and why in words.
    phase       TEXT    NOT NULL,
    why         TEXT    NOT NULL DEFAULT '',
    -- Counted up with every start: a late writer of an earlier one is refused.
    epoch       INTEGER NOT NULL DEFAULT 0,
    -- Deeds of this start: each is the next, or is refused, so that nothing follows a deed that was refused.
    deeds       INTEGER NOT NULL DEFAULT 0,
    -- Counted up whenever a person stops it or lets it go on.
    wishes      INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    -- Time spent running, without pauses.
    ran_ms      INTEGER NOT NULL DEFAULT 0,
    -- Rows of crawl_url. New ones begin at this number or are refused, so that a crash leaves no gap.
    known       INTEGER NOT NULL DEFAULT 0,
    fetched     INTEGER NOT NULL DEFAULT 0,
    relevant    INTEGER NOT NULL DEFAULT 0,
    failed      INTEGER NOT NULL DEFAULT 0,
    -- The WARC file being written, and how much of it belongs to stored pages.
    warc_file   INTEGER NOT NULL DEFAULT 0,
    warc_bytes  INTEGER NOT NULL DEFAULT 0,
    -- What a person wants to see while it runs, as JSON, and when it was written.
    progress    TEXT,
    beat_at     INTEGER
);

-- The large parts of a crawl, apart: the row above changes with every page.
CREATE TABLE crawl_mind (
    crawl_id    INTEGER PRIMARY KEY REFERENCES crawl (id) ON DELETE CASCADE,
    topic       TEXT    NOT NULL,
    -- The mind's soft state, compressed JSON.
    soft        BLOB
);

-- The durable frontier. The spot is the URL's number in the mind of the crawl.
CREATE TABLE crawl_url (
    crawl_id    INTEGER NOT NULL REFERENCES crawl (id) ON DELETE CASCADE,
    spot        INTEGER NOT NULL,
    state       INTEGER NOT NULL,
    depth       INTEGER NOT NULL,
    tries       INTEGER NOT NULL DEFAULT 0,
    parent      INTEGER,
    priority    REAL    NOT NULL,
    -- Not to be asked before; NULL for whenever.
    not_before  INTEGER,
    hash        INTEGER NOT NULL,
    url         TEXT    NOT NULL,
    anchor      TEXT    NOT NULL,
    -- What became of it, if it is no page.
    why         TEXT,
    PRIMARY KEY (crawl_id, spot)
) WITHOUT ROWID;

CREATE TABLE crawl_page (
    id          INTEGER PRIMARY KEY,
    crawl_id    INTEGER NOT NULL REFERENCES crawl (id) ON DELETE CASCADE,
    spot        INTEGER NOT NULL,
    fetched_at  INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    bytes       INTEGER NOT NULL,
    score       REAL    NOT NULL,
    on_topic    INTEGER NOT NULL,
    -- Classes and words found, as JSON.
    evidence    TEXT    NOT NULL,
    title       TEXT,
    language    TEXT,
    fingerprint INTEGER,
    warc_file   INTEGER,
    warc_offset INTEGER,
    -- The URLs it was the first to tell of: their spots follow each other.
    new_from    INTEGER NOT NULL,
    new_count   INTEGER NOT NULL,
    UNIQUE (crawl_id, spot)
);
CREATE INDEX crawl_page_on_topic ON crawl_page (crawl_id, score) WHERE on_topic = 1;

-- The repository's words, cut as articles are.
CREATE VIRTUAL TABLE crawl_words USING fts5 (
    title, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER crawl_page_gone AFTER DELETE ON crawl_page WHEN old.on_topic = 1 BEGIN
    DELETE FROM crawl_words WHERE rowid = old.id;
END;

-- Feeds and list pages that may be worth watching.
CREATE TABLE crawl_candidate (
    id          INTEGER PRIMARY KEY,
    crawl_id    INTEGER NOT NULL REFERENCES crawl (id) ON DELETE CASCADE,
    url         TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    title       TEXT,
    -- The page that offers it, or that it is.
    spot        INTEGER NOT NULL,
    -- New entries a day, if that is known, and the share of them that is on the topic.
    per_day     REAL,
    share       REAL    NOT NULL,
    found_at    INTEGER NOT NULL,
    promoted_to INTEGER REFERENCES source (id) ON DELETE SET NULL,
    UNIQUE (crawl_id, url)
);

-- What crawls taught topics.
CREATE TABLE topic_lesson (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    topic_id    INTEGER NOT NULL REFERENCES topic (id) ON DELETE CASCADE,
    crawl_id    INTEGER NOT NULL,
    -- The learner's own number of it.
    number      INTEGER NOT NULL,
    lesson      TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    undone_at   INTEGER,
    UNIQUE (topic_id, crawl_id, number)
);
