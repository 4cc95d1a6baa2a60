-- An append touches as few pages as it can (spec 08): what changed with every line and could be
-- found without an index has none, and the search index follows on its own.

DROP INDEX messages_by_id;               -- a question is answered near the end of its conversation
DROP INDEX conversations_by_activity;
DROP INDEX conversations_by_project;
CREATE INDEX conversations_of_project ON conversations (project_id);

-- The number of the last line whose messages stand in `search`.
ALTER TABLE search_filled ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
UPDATE search_filled SET until = (SELECT coalesce(max(id), 0) FROM lines);
