-- The journals, and the rows derived from them (spec 08). Times are milliseconds since 1970 UTC.

CREATE TABLE projects (
    id             TEXT PRIMARY KEY,
    name           TEXT NOT NULL,
    location       TEXT NOT NULL,
    last_opened_at INTEGER NOT NULL,
    forgotten      INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE packages (
    id           TEXT PRIMARY KEY,
    name         TEXT NOT NULL,
    version      TEXT NOT NULL,
    description  TEXT,
    summary      TEXT NOT NULL,              -- JSON {workflows, agents}
    has_demo     INTEGER NOT NULL,
    installed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE conversations (
    id             TEXT PRIMARY KEY,
    project_id     TEXT NOT NULL,
    title          TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    last_active_at INTEGER NOT NULL,
    message_count  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE runs (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    project_id      TEXT NOT NULL,
    package_id      TEXT NOT NULL,
    workflow_id     TEXT NOT NULL,
    agent_id        TEXT NOT NULL,
    title           TEXT NOT NULL,
    phase           TEXT NOT NULL,
    reason          TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_project ON runs (project_id, created_at);
CREATE INDEX runs_by_package ON runs (package_id, created_at);
CREATE INDEX runs_by_conversation ON runs (conversation_id, created_at);
CREATE INDEX runs_by_phase ON runs (phase);

-- One decision, one row. The truth; every other table but projects and packages follows from it.
CREATE TABLE lines (
    id           INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    seq          INTEGER NOT NULL,
    next_seq     INTEGER NOT NULL CHECK (next_seq > seq),
    at           INTEGER NOT NULL,
    format       INTEGER NOT NULL,
    body         TEXT NOT NULL,              -- JSON of the line
    UNIQUE (conversation, seq)
) STRICT;

-- Conversations being deleted in the transaction at hand: the only key to the delete trigger.
CREATE TABLE deletable (conversation TEXT PRIMARY KEY) STRICT;

CREATE TRIGGER lines_are_never_changed BEFORE UPDATE ON lines
BEGIN SELECT RAISE(ABORT, 'lines are append-only'); END;

CREATE TRIGGER lines_are_never_deleted BEFORE DELETE ON lines
WHEN NOT EXISTS (SELECT 1 FROM deletable WHERE conversation = OLD.conversation)
BEGIN SELECT RAISE(ABORT, 'lines are append-only'); END;

CREATE TABLE messages (
    conversation       TEXT NOT NULL REFERENCES conversations (id),
    seq                INTEGER NOT NULL,     -- of the event it comes from
    id                 TEXT NOT NULL,
    role               TEXT NOT NULL,
    content            TEXT NOT NULL,
    thinking           TEXT,
    tool_calls         TEXT,                 -- JSON array, OpenAI shape
    tool_call_id       TEXT,
    part_type          TEXT NOT NULL,
    tool_name          TEXT,
    duration_ms        INTEGER,
    widget             TEXT,                 -- JSON, with submitted and submittedValue once answered
    mode               TEXT NOT NULL,
    run_id             TEXT,
    workflow_id        TEXT,
    agent_id           TEXT,
    include_in_context INTEGER NOT NULL,
    full_output_path   TEXT,                 -- alias path
    created_at         INTEGER NOT NULL,
    turn               INTEGER NOT NULL,
    tokens             INTEGER,              -- of the answer
    usage              TEXT,                 -- JSON
    PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_by_id ON messages (conversation, id);

-- Who works on a conversation now. Rows of dead processes are taken over.
CREATE TABLE leases (
    conversation TEXT PRIMARY KEY,
    token        TEXT NOT NULL,              -- of this one acquisition
    instance     TEXT NOT NULL,              -- of the opened store; names its lock file
    holder       TEXT NOT NULL,              -- 'window', 'cli', …
    pid          INTEGER NOT NULL,
    since        INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
) STRICT;
