CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    collaboration_id TEXT NOT NULL REFERENCES collaborations,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
