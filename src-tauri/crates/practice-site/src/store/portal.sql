CREATE TABLE portal (
    id TEXT PRIMARY KEY,
    uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL DEFAULT 'content'
) STRICT;

CREATE TABLE users (
    username TEXT PRIMARY KEY,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL,
    password_hash TEXT,             -- absent: an account that cannot sign in with a password
    created INTEGER NOT NULL
) STRICT;

CREATE TABLE groups (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    owner TEXT NOT NULL REFERENCES users,
    created INTEGER NOT NULL
) STRICT;

CREATE TABLE group_members (
    group_id TEXT NOT NULL REFERENCES groups,
    username TEXT NOT NULL REFERENCES users,
    PRIMARY KEY (group_id, username)
) STRICT;

CREATE TABLE items (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES users,
    title TEXT NOT NULL,
    type TEXT NOT NULL,
    access TEXT NOT NULL,
    file TEXT NOT NULL,             -- the item's main file inside its folder of the content directory
    size INTEGER NOT NULL,
    created INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    url TEXT                        -- of an item that stands for a service: the path of the service below the origin
) STRICT;

CREATE TABLE group_items (
    group_id TEXT NOT NULL REFERENCES groups,
    item_id TEXT NOT NULL REFERENCES items,
    PRIMARY KEY (group_id, item_id)
) STRICT;

CREATE TABLE collaborations (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    host_portal_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    created INTEGER NOT NULL,
    modified INTEGER NOT NULL
) STRICT;

CREATE TABLE participants (
    collaboration_id TEXT NOT NULL REFERENCES collaborations,
    portal_id TEXT NOT NULL,
    url TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    role TEXT NOT NULL,
    status TEXT NOT NULL,
    contact_first_name TEXT NOT NULL,
    contact_last_name TEXT NOT NULL,
    contact_email TEXT NOT NULL,
    portal_version TEXT NOT NULL,
    last_config_sync INTEGER NOT NULL,
    created INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    PRIMARY KEY (collaboration_id, portal_id)
) STRICT;

CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    collaboration_id TEXT NOT NULL REFERENCES collaborations,
    guest_portal_id TEXT NOT NULL,
    guest_portal_url TEXT NOT NULL,
    status TEXT NOT NULL,
    request TEXT NOT NULL,          -- JSON: what the guest receives, key material included
    expiration INTEGER NOT NULL,
    created INTEGER NOT NULL,
    modified INTEGER NOT NULL
) STRICT;

CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    collaboration_id TEXT NOT NULL REFERENCES collaborations,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
