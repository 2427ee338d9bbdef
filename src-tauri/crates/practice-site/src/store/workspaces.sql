-- Beside the collaborations of portal.sql, and made in older data folders too.
CREATE TABLE IF NOT EXISTS workspaces (
    id TEXT PRIMARY KEY,
    collaboration_id TEXT NOT NULL REFERENCES collaborations,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
