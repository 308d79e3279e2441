-- Times are UTC milliseconds since 1970. JSON is text. Booleans are 0 or 1.

CREATE TABLE host (
    id              INTEGER PRIMARY KEY,
    name            TEXT    NOT NULL UNIQUE,
    own_delay_ms    INTEGER,
    crawl_delay_ms  INTEGER,
    not_before      INTEGER,
    troubles        INTEGER NOT NULL DEFAULT 0,
    last_trouble    INTEGER,
    -- The last turn was slow or in trouble: such hosts may fill only a share of the workers.
    slow            INTEGER NOT NULL DEFAULT 0,
    -- Earliest work on this host (a visit or an article's page), never before not_before. NULL: none.
    due_at          INTEGER,
    lease_owner     TEXT,
    lease_until     INTEGER,
    epoch           INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX host_due ON host (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX host_lease ON host (lease_until) WHERE lease_owner IS NOT NULL;

CREATE TABLE robots (
    origin      TEXT    PRIMARY KEY,
    host_id     INTEGER NOT NULL REFERENCES host (id),
    fetched_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    verdict     TEXT    NOT NULL,
    body        TEXT    NOT NULL
);
CREATE INDEX robots_host ON robots (host_id);

CREATE TABLE source (
    id              INTEGER PRIMARY KEY,
    url             TEXT    NOT NULL UNIQUE,
    host_id         INTEGER NOT NULL REFERENCES host (id),
    title           TEXT,
    kind            TEXT,
    selector        TEXT,
    interval_ms     INTEGER,
    paused          INTEGER NOT NULL DEFAULT 0,
    added_at        INTEGER NOT NULL,
    last_visit_at   INTEGER,
    last_outcome    TEXT,
    last_success_at INTEGER,
    last_new_at     INTEGER,
    failures        INTEGER NOT NULL DEFAULT 0,
    next_at         INTEGER,
    next_reason     TEXT    NOT NULL DEFAULT '',
    etag            TEXT,
    last_modified   TEXT,
    content_hash    INTEGER,
    text_hash       INTEGER,
    articles        INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX source_host_next ON source (host_id, next_at);
CREATE INDEX source_next ON source (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE visit (
    id          INTEGER PRIMARY KEY,
    source_id   INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    took_ms     INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    word        TEXT    NOT NULL,
    outcome     TEXT    NOT NULL,
    bytes       INTEGER NOT NULL,
    listed      INTEGER NOT NULL,
    new         INTEGER NOT NULL,
    notes       TEXT    NOT NULL
);
CREATE INDEX visit_source_at ON visit (source_id, at);
CREATE INDEX visit_at ON visit (at);

CREATE TABLE article (
    id              INTEGER PRIMARY KEY,
    url             TEXT    NOT NULL UNIQUE,
    host_id         INTEGER NOT NULL REFERENCES host (id),
    title           TEXT    NOT NULL,
    published_at    INTEGER,
    first_seen_at   INTEGER NOT NULL,
    -- The fact names the visit it came from; a visit may be forgotten before its articles.
    visit_id        INTEGER NOT NULL,
    source_id       INTEGER REFERENCES source (id) ON DELETE SET NULL,
    language        TEXT,
    summary         TEXT,
    fingerprint     INTEGER,
    body            TEXT    NOT NULL,
    body_at         INTEGER,
    body_tries      INTEGER NOT NULL DEFAULT 0,
    body_outcome    TEXT,
    read            INTEGER NOT NULL DEFAULT 0,
    starred         INTEGER NOT NULL DEFAULT 0
);
-- Lists are newest first by id: ids are given in the order of first sight.
CREATE INDEX article_seen ON article (first_seen_at);
CREATE INDEX article_unread ON article (id) WHERE read = 0;
CREATE INDEX article_starred ON article (id) WHERE starred = 1;
CREATE INDEX article_source ON article (source_id);
CREATE INDEX article_body ON article (host_id, body_at) WHERE body_at IS NOT NULL;

-- Every URL an article has been seen under. A row without an article is one that retention removed:
-- still on the site's page, perhaps, but not news again.
CREATE TABLE known_url (
    url         TEXT    PRIMARY KEY,
    article_id  INTEGER REFERENCES article (id) ON DELETE SET NULL
) WITHOUT ROWID;
CREATE INDEX known_url_article ON known_url (article_id) WHERE article_id IS NOT NULL;

-- Which sources listed an article, and since when.
CREATE TABLE listing (
    article_id      INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    source_id       INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    visit_id        INTEGER NOT NULL,
    first_seen_at   INTEGER NOT NULL,
    PRIMARY KEY (article_id, source_id)
) WITHOUT ROWID;
CREATE INDEX listing_source ON listing (source_id, article_id);

CREATE TABLE article_text (
    article_id  INTEGER PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    text        TEXT    NOT NULL,
    notes       TEXT    NOT NULL
);

-- The page as fetched: raw bytes, deflated here unless the server had already compressed them.
CREATE TABLE page (
    article_id          INTEGER PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    fetched_at          INTEGER NOT NULL,
    final_url           TEXT    NOT NULL,
    head                TEXT    NOT NULL,
    content_type        TEXT,
    content_encoding    TEXT,
    deflated            INTEGER NOT NULL,
    -- Bytes of the body, beside it so that sums need not touch it.
    size                INTEGER NOT NULL,
    body                BLOB    NOT NULL
);
CREATE INDEX page_fetched ON page (fetched_at, size);

-- Words as the page crate cuts them (Chinese and Japanese as pairs), so any script can be searched.
CREATE VIRTUAL TABLE article_words USING fts5 (
    title, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE outbox (
    id              INTEGER PRIMARY KEY,
    idempotency_key TEXT    NOT NULL UNIQUE,
    kind            TEXT    NOT NULL,
    payload         TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    due_at          INTEGER,
    tries           INTEGER NOT NULL DEFAULT 0,
    last_error      TEXT,
    delivered_at    INTEGER
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE setting (
    name    TEXT PRIMARY KEY,
    value   TEXT NOT NULL
);

-- Secrets are kept as SHA-256 of 256 random bits: nothing to guess, nothing to steal.
CREATE TABLE token (
    id           INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE,
    hash         BLOB    NOT NULL UNIQUE,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER
);
CREATE TABLE login (
    hash        BLOB    PRIMARY KEY,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) WITHOUT ROWID;
