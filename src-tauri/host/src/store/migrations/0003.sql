-- Folds of the journals: what follows from the lines before `seq` and does not grow with them, so
-- that a long conversation is opened from its last fold (spec 08). Derived: every row may be
-- deleted at any time, and one of another format is made anew.
CREATE TABLE folds (
    id           INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq          INTEGER NOT NULL,           -- where the next line begins
    format       TEXT NOT NULL,
    body         TEXT NOT NULL,              -- JSON
    UNIQUE (conversation, seq)
) STRICT;
