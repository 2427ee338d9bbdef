-- What services do while they run. No export holds it and no import changes it: services are known by their full
-- name, webhooks by their id.
CREATE TABLE features (
    service TEXT NOT NULL,
    layer INTEGER NOT NULL,
    object_id INTEGER NOT NULL,
    global_id TEXT NOT NULL,
    attributes TEXT NOT NULL,       -- JSON, without the two identifiers
    geometry TEXT NOT NULL,         -- JSON
    PRIMARY KEY (service, layer, object_id)
) STRICT;

-- Every edit ever made. Object ids are counted here, so that none is given twice.
CREATE TABLE changes (
    gen INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    layer INTEGER NOT NULL,
    object_id INTEGER NOT NULL,
    global_id TEXT NOT NULL,
    kind TEXT NOT NULL              -- FeaturesCreated, FeaturesUpdated, FeaturesDeleted
) STRICT;
CREATE INDEX changes_by_object ON changes (service, layer, object_id);

CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    service TEXT NOT NULL,
    task TEXT NOT NULL,
    status TEXT NOT NULL,           -- esriJobSubmitted, …
    inputs TEXT NOT NULL,           -- JSON
    messages TEXT NOT NULL,         -- JSON
    submitted INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_status ON jobs (status);

-- What has happened and is still to be told. The payload itself is written when it is sent: the address of this
-- site may be another one by then.
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL,
    happening TEXT NOT NULL,        -- JSON
    sealed INTEGER NOT NULL,        -- 1: an attempt was begun, nothing may be added
    attempts INTEGER NOT NULL,      -- that failed
    due INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, due);

-- Deliveries that were given up.
CREATE TABLE failures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL,
    moment INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX failures_by_webhook ON failures (webhook, moment);
