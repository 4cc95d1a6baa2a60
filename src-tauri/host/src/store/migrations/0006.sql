-- What a person has written and not sent, by the place it is written at (JSON): deleted with its
-- conversation, and forgotten when it is sent.
CREATE TABLE drafts (
    place        TEXT PRIMARY KEY,
    conversation TEXT REFERENCES conversations (id) ON DELETE CASCADE, -- NULL: a run to be started
    body         TEXT NOT NULL,              -- JSON
    at           INTEGER NOT NULL
) STRICT;
