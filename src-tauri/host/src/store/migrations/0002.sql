-- Conversations as people handle them: titles of their own, paging by activity, full-text search,
-- deletion that survives a crash (spec 08).

ALTER TABLE conversations ADD COLUMN custom_title TEXT;   -- a person's; NULL: the generated one
ALTER TABLE conversations ADD COLUMN number INTEGER;      -- the upper half of its row ids in `search`
CREATE UNIQUE INDEX conversations_by_number ON conversations (number);
CREATE INDEX conversations_by_activity ON conversations (last_active_at, id);
CREATE INDEX conversations_by_project ON conversations (project_id, last_active_at, id);

-- The words of messages. Only the index is kept: the text stands in `messages`. A row id is
-- `number << 32 | seq`, so a conversation is one range. Text arrives cut into terms (`terms.rs`),
-- hence the plainest tokenizer.
CREATE VIRTUAL TABLE search USING fts5 (
    text, project, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '3'
);

-- Which version of the terms `search` was filled with; without a row it is filled anew.
CREATE TABLE search_filled (version INTEGER NOT NULL) STRICT;

-- Runs that are deleted, whose folders may still be there.
CREATE TABLE removed_runs (
    project_id TEXT NOT NULL,
    run_id     TEXT NOT NULL,
    UNIQUE (project_id, run_id)
) STRICT;
