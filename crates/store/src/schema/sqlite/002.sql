-- Knowledge: folders, rules, cornerstones, lessons, and where each article is filed.

CREATE TABLE folder (
    id          INTEGER PRIMARY KEY,
    parent_id   INTEGER REFERENCES folder (id),
    name        TEXT    NOT NULL
);

-- A lesson is what was taught at once; undone, it stays as a tombstone.
CREATE TABLE lesson (
    version     INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    author      TEXT,
    -- Cornerstones it made or changed, as they were before: what undoing needs.
    before      TEXT    NOT NULL,
    -- Folders it made: undoing takes them back if nothing else needs them.
    folders     TEXT    NOT NULL,
    undone_at   INTEGER
);

-- The log of rules only grows. `place` is the order in which they were added: parents before children.
CREATE TABLE rule (
    place           INTEGER PRIMARY KEY,
    id              INTEGER NOT NULL,
    parent_id       INTEGER NOT NULL,
    condition       TEXT    NOT NULL,
    folder_id       INTEGER REFERENCES folder (id),
    author          TEXT,
    at              INTEGER,
    cornerstone_id  INTEGER,
    note            TEXT,
    version         INTEGER NOT NULL,
    undone          INTEGER NOT NULL DEFAULT 0,
    confirmed       INTEGER NOT NULL DEFAULT 0,
    overturned      INTEGER NOT NULL DEFAULT 0
);
-- An undone rule's id may come again with the file it came from.
CREATE UNIQUE INDEX rule_id ON rule (id) WHERE undone = 0;
CREATE INDEX rule_version ON rule (version);

CREATE TABLE cornerstone (
    id          INTEGER PRIMARY KEY,
    -- The article may be forgotten; the cornerstone keeps what it said.
    article_id  INTEGER,
    fields      TEXT    NOT NULL,
    expected    TEXT    NOT NULL
);

-- One row: the version of the knowledge, counted up by every change to folders, rules or cornerstones.
CREATE TABLE knowledge (
    version             INTEGER NOT NULL,
    -- How words were cut and folded when the rules were last proven: another way might file otherwise.
    words_version       INTEGER NOT NULL DEFAULT 1,
    last_rule           INTEGER NOT NULL,
    last_cornerstone    INTEGER NOT NULL,
    -- Re-filing: articles from here downwards are still to be filed anew. NULL: all are.
    refile_below        INTEGER,
    refile_version      INTEGER NOT NULL DEFAULT 0,
    refile_total        INTEGER NOT NULL DEFAULT 0,
    refile_done         INTEGER NOT NULL DEFAULT 0,
    refile_changed      INTEGER NOT NULL DEFAULT 0,
    refile_stopped      INTEGER NOT NULL DEFAULT 0
);
INSERT INTO knowledge (version, last_rule, last_cornerstone) VALUES (0, 0, 0);

-- Which rules are live for an article, stopping ones included (without a folder), since which version.
CREATE TABLE filing (
    article_id  INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    rule_id     INTEGER NOT NULL,
    folder_id   INTEGER,
    version     INTEGER NOT NULL,
    PRIMARY KEY (article_id, rule_id)
) WITHOUT ROWID;
CREATE INDEX filing_folder ON filing (folder_id, article_id) WHERE folder_id IS NOT NULL;
CREATE INDEX filing_rule ON filing (rule_id, article_id);

-- The words of the link that led to an article.
ALTER TABLE article ADD COLUMN anchor TEXT;
-- In how many folders it is; none is the Unfiled view.
ALTER TABLE article ADD COLUMN folders INTEGER NOT NULL DEFAULT 0;
CREATE INDEX article_unfiled ON article (id) WHERE folders = 0;
-- A person said that it is filed rightly.
ALTER TABLE article ADD COLUMN confirmed_at INTEGER;
UPDATE article SET anchor = title;
