-- Telling: channels, and what is on its way through each.

CREATE TABLE channel (
    -- Ids are never given twice: keys of deliveries are made of them.
    id                  INTEGER PRIMARY KEY AUTOINCREMENT,
    name                TEXT    NOT NULL UNIQUE,
    -- Where to, with its secrets: they are needed to sign and to log in.
    target              TEXT    NOT NULL,
    wants               TEXT    NOT NULL,
    -- Only messages of these folders and of those inside them; [] stands for all.
    folders             TEXT    NOT NULL,
    rhythm              TEXT    NOT NULL,
    quiet               TEXT,
    zone                TEXT    NOT NULL,
    enabled             INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    -- Tries in a row that failed for a reason that holds for every message, since when, and when the next is due.
    failures            INTEGER NOT NULL DEFAULT 0,
    failing_since       INTEGER,
    retry_at            INTEGER,
    last_error          TEXT,
    last_delivered_at   INTEGER
);

-- One message on its way through one channel.
CREATE TABLE delivery (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id      INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    channel_id      INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
    state           TEXT    NOT NULL,
    due_at          INTEGER,
    -- A test: tried once, at once, whatever the channel's hours are.
    test            INTEGER NOT NULL DEFAULT 0,
    -- To be sent together with what else is due then.
    gathered        INTEGER NOT NULL DEFAULT 0,
    -- Names the digest it went into, from the first try on: a repeated one holds the same under the same key.
    digest          TEXT,
    tries           INTEGER NOT NULL DEFAULT 0,
    first_try_at    INTEGER,
    last_try_at     INTEGER,
    last_error      TEXT,
    last_status     INTEGER,
    delivered_at    INTEGER,
    UNIQUE (message_id, channel_id)
);
CREATE INDEX delivery_due ON delivery (channel_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX delivery_channel ON delivery (channel_id, id);
CREATE INDEX delivery_digest ON delivery (digest) WHERE digest IS NOT NULL;

-- Delivery is a matter of each channel now.
DROP INDEX outbox_due;
ALTER TABLE outbox DROP COLUMN due_at;
ALTER TABLE outbox DROP COLUMN tries;
ALTER TABLE outbox DROP COLUMN last_error;
ALTER TABLE outbox DROP COLUMN delivered_at;
CREATE INDEX outbox_created ON outbox (created_at);
