-- The journal, format 1. What may be large stands last: SQLite walks over everything before a column to read it.
CREATE TABLE record (
    sequence        INTEGER PRIMARY KEY,
    id              TEXT NOT NULL UNIQUE,
    site            TEXT NOT NULL,
    -- Empty for a portal, and for what concerns the whole site.
    server          TEXT NOT NULL DEFAULT '',
    -- Name of that server at that time; empty if its site has no other.
    server_name     TEXT NOT NULL DEFAULT '',
    site_name       TEXT NOT NULL,
    environment     TEXT NOT NULL,
    site_version    TEXT NOT NULL,
    operation       TEXT NOT NULL,
    username        TEXT NOT NULL,
    -- Who used the program, on which computer: the account of the operating system.
    system_user     TEXT NOT NULL DEFAULT '',
    computer        TEXT NOT NULL DEFAULT '',
    -- Which process of the app wrote it: only that one knows whether it still waits for the response.
    process         TEXT NOT NULL DEFAULT 'window',
    program_version TEXT NOT NULL,
    parameters      TEXT NOT NULL,
    started_at      INTEGER NOT NULL,
    -- Whether an earlier record began later: the clock was set back. The others stand in order of time.
    late            INTEGER NOT NULL,
    ended_at        INTEGER,
    elapsed         INTEGER,
    outcome         TEXT NOT NULL,
    note            TEXT NOT NULL DEFAULT '',
    -- Reason or ticket that a user gave, also later.
    reason          TEXT NOT NULL DEFAULT '',
    -- What the records of one batch share; empty without one. Records whose requests were not sent are missing in it.
    batch           TEXT NOT NULL DEFAULT '',
    batch_size      INTEGER NOT NULL DEFAULT 0,
    -- What later decisions use, as JSON. The note is for people.
    facts           TEXT NOT NULL DEFAULT '{}',
    -- Of all columns but the content, which is the three below; see checksum.rs.
    checksum        INTEGER NOT NULL DEFAULT 0,
    content_checksum INTEGER NOT NULL DEFAULT 0,
    requests        TEXT NOT NULL,
    response_truncated INTEGER NOT NULL DEFAULT 0,
    response        TEXT,
    report          TEXT
) STRICT;
CREATE INDEX record_by_success ON record (site, operation, outcome, ended_at);
CREATE INDEX record_by_target ON record (site, operation, server, outcome);
CREATE INDEX record_unsolved ON record (site, operation, server, outcome) WHERE outcome IN ('failed', 'unknown');
CREATE INDEX record_by_time ON record (started_at) WHERE late = 0;
CREATE INDEX record_late ON record (started_at) WHERE late = 1;
CREATE INDEX record_by_batch ON record (batch) WHERE batch <> '';
CREATE INDEX record_open ON record (sequence) WHERE outcome = 'sent';

-- A search for each beginning that a person types is one look-up; without an index of its own, it would gather all
-- words that begin so. Facets are one word each, so that a filter and a search are one walk through the same index.
CREATE VIRTUAL TABLE search USING fts5 (
    facets, words,
    content = '', contentless_delete = 1, prefix = '1 2 3 4 5 6 7 8', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIEW searchable AS
    SELECT sequence,
           's' || hex(site) || ' o' || hex(operation) || ' e' || hex(outcome) AS facets,
           concat_ws(char(10), site_name, server_name, environment, site_version, operation, username, system_user, computer, note, reason,
               (SELECT group_concat(atom, char(10)) FROM json_tree(iif(json_valid(parameters), parameters, NULL))
                WHERE type = 'text'),
               -- A report of 50 MB is found by its beginning.
               (SELECT substr(group_concat(atom, char(10)), 1, 262144)
                FROM json_tree(iif(json_valid(report), report, NULL)) WHERE type = 'text')) AS words
    FROM record;
CREATE TRIGGER record_is_new AFTER INSERT ON record BEGIN
    INSERT INTO search (rowid, facets, words)
        SELECT sequence, facets, words FROM searchable WHERE sequence = new.sequence;
END;
CREATE TRIGGER record_has_changed AFTER UPDATE OF
    site, site_name, server_name, environment, site_version, operation, username, system_user, computer, parameters, outcome, note, reason, report
ON record BEGIN
    DELETE FROM search WHERE rowid = old.sequence;
    INSERT INTO search (rowid, facets, words)
        SELECT sequence, facets, words FROM searchable WHERE sequence = new.sequence;
END;
CREATE TRIGGER record_is_gone AFTER DELETE ON record BEGIN
    DELETE FROM search WHERE rowid = old.sequence;
END;

CREATE TABLE deactivation (
    sequence       INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    record         TEXT NOT NULL,
    site           TEXT NOT NULL,
    service        TEXT NOT NULL,
    deactivated_at INTEGER NOT NULL,
    by             TEXT NOT NULL,
    why            TEXT NOT NULL,
    -- What was active, as JSON; NULL when the site did not tell.
    active         TEXT,
    state          TEXT NOT NULL,
    remind_at      INTEGER,
    resolved_at    INTEGER,
    resolved_by    TEXT,
    checksum       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX deactivation_by_site ON deactivation (site, sequence);
CREATE INDEX deactivation_open ON deactivation (sequence) WHERE resolved_at IS NULL;

CREATE TABLE outcome_resolution (
    record  TEXT PRIMARY KEY,
    outcome TEXT NOT NULL,
    note    TEXT NOT NULL,
    by      TEXT NOT NULL,
    at      INTEGER NOT NULL,
    checksum INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE checklist_item (
    record TEXT NOT NULL,
    item   TEXT NOT NULL,
    checksum INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (record, item)
) STRICT, WITHOUT ROWID;

-- The audit trail; see trail/mod.rs. Both lines are stored as they were hashed.
CREATE TABLE trail (
    sequence INTEGER PRIMARY KEY,
    envelope TEXT NOT NULL,
    -- NULL if it was removed by law, which no function of the program does.
    body     TEXT,
    -- Computed, so that they cannot differ from what was hashed.
    kind     TEXT AS (iif(json_valid(envelope), envelope ->> '$.type', NULL)) VIRTUAL,
    record   TEXT AS (iif(json_valid(body), body ->> '$.record', NULL)) VIRTUAL
) STRICT;
CREATE INDEX trail_by_record ON trail (record) WHERE record IS NOT NULL;
CREATE INDEX trail_marks ON trail (sequence) WHERE kind IN ('app.started', 'chain.verified', 'chain.broken');
-- Events that hold until another one of them says otherwise: each start reads all of them.
CREATE INDEX trail_states ON trail (sequence) WHERE kind IN ('chain.rolled-back', 'forwarding.turned-on',
    'forwarding.changed', 'forwarding.turned-off', 'file.unreadable', 'file.resolved');
-- What the trail has of snapshots: each comparison of two of them reads it.
CREATE INDEX trail_snapshots ON trail (sequence) WHERE kind IN ('snapshot.taken', 'site.changed', 'file.unreadable');
-- These refuse mistakes of the program. Whoever holds the file can remove them.
CREATE TRIGGER trail_is_not_changed BEFORE UPDATE ON trail BEGIN
    SELECT RAISE(ABORT, 'the audit trail is not changed');
END;
CREATE TRIGGER trail_is_not_shortened BEFORE DELETE ON trail BEGIN
    SELECT RAISE(ABORT, 'the audit trail is not shortened');
END;
