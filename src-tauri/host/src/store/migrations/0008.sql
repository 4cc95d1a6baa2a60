-- The conversation of a sub-agent belongs to the one that asked for it: it is in no list, and goes with it.
ALTER TABLE conversations ADD COLUMN parent TEXT;
CREATE INDEX conversations_by_parent ON conversations (parent) WHERE parent IS NOT NULL;
