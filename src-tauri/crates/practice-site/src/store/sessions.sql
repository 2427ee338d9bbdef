CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,          -- SHA-256 of the token, which itself is kept nowhere
    username TEXT NOT NULL,
    area TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_by_expiry ON tokens (expires);
