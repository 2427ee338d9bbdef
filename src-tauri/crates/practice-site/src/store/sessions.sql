CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,          -- SHA-256 of the token, which itself is kept nowhere
    username TEXT NOT NULL,
    area TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_by_expiry ON tokens (expires);

-- What a token is good for, where it is not good for everything in its area.
CREATE TABLE token_limits (
    hash TEXT PRIMARY KEY REFERENCES tokens ON DELETE CASCADE,
    referer TEXT,
    address TEXT,
    refresh_hash TEXT               -- the refresh token it was made from, and ends with
) STRICT;

-- Authorization codes: good once, for a few minutes.
CREATE TABLE codes (
    hash TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    challenge TEXT,                 -- PKCE, S256
    refresh_minutes INTEGER NOT NULL,
    expires INTEGER NOT NULL
) STRICT;

CREATE TABLE refresh_tokens (
    hash TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
