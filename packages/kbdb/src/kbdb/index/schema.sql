-- The catalogue: what the records say, arranged for questions. Derived; deleted and rebuilt at will.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- docids, tags and extra repeat what the holdings say, so that a hit costs one row; docids and tags are
-- separated by line ends.
CREATE TABLE section (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    kbid    TEXT NOT NULL UNIQUE,
    type    TEXT NOT NULL,
    title   TEXT NOT NULL,
    size    INTEGER NOT NULL,
    retired INTEGER NOT NULL DEFAULT 0,
    live    INTEGER NOT NULL DEFAULT 0,
    docids  TEXT NOT NULL DEFAULT '',
    tags    TEXT NOT NULL DEFAULT '',
    extra   TEXT NOT NULL DEFAULT '',
    length  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The terms of a section's text, a line for each piece between white space: what is indexed, and what
-- tells where a hit matches without analysing its text again.
CREATE TABLE body (
    section INTEGER PRIMARY KEY,
    terms   TEXT NOT NULL
) STRICT;

CREATE TABLE document (
    docid       TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    tags        TEXT NOT NULL,
    created     TEXT NOT NULL,
    source      TEXT,
    digest      TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX document_source ON document (source) WHERE source IS NOT NULL;

CREATE TABLE holding (
    docid    TEXT NOT NULL,
    position INTEGER NOT NULL,
    section  INTEGER NOT NULL,
    level    INTEGER NOT NULL,
    parent   TEXT,
    tags     TEXT NOT NULL,
    created  TEXT NOT NULL,
    PRIMARY KEY (docid, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX holding_section ON holding (section);

CREATE TABLE link (
    section INTEGER NOT NULL,
    target  TEXT NOT NULL,
    PRIMARY KEY (section, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_target ON link (target);

-- What the lexical index still owes: one row a section, with a number that only grows.
CREATE TABLE pending (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    section INTEGER NOT NULL UNIQUE ON CONFLICT REPLACE
) STRICT;
