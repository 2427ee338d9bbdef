-- One row: whoever made the server site. No export holds it and no import changes it.
CREATE TABLE primary_administrator (username TEXT PRIMARY KEY, password_hash TEXT NOT NULL) STRICT;

CREATE TABLE services (
    id INTEGER PRIMARY KEY,
    folder TEXT NOT NULL,           -- '' is the root folder
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    description TEXT NOT NULL,
    configuration TEXT NOT NULL,    -- JSON
    data_path TEXT NOT NULL,
    configured_state TEXT NOT NULL,
    real_time_state TEXT NOT NULL,
    UNIQUE (folder, name, type)
) STRICT;

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    service_id INTEGER NOT NULL REFERENCES services ON DELETE CASCADE,
    name TEXT NOT NULL,
    hook_url TEXT NOT NULL,
    active INTEGER NOT NULL,
    paused INTEGER NOT NULL,        -- 1: was active until deactivateAll, and will be again
    settings TEXT NOT NULL,         -- JSON: the fields that only travel through
    created INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    UNIQUE (service_id, name)
) STRICT;

CREATE TABLE data_items (
    path TEXT PRIMARY KEY,
    parent_path TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    managed INTEGER NOT NULL,
    item TEXT NOT NULL              -- JSON: the data store item as the specification lists it
) STRICT;
CREATE INDEX data_items_by_parent ON data_items (parent_path);

-- Machines, directories, log settings, roles and users of the server's own store, system properties.
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    created INTEGER NOT NULL,
    committed INTEGER NOT NULL
) STRICT;

CREATE TABLE web_adaptors (id TEXT PRIMARY KEY, url TEXT NOT NULL, administration INTEGER NOT NULL) STRICT;
