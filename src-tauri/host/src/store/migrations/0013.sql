-- With whom the person talks in a conversation: 'run', 'agent' or 'chat'; its newest run; and where it
-- stands while that is no run.
ALTER TABLE conversations ADD COLUMN mode TEXT NOT NULL DEFAULT 'run';
ALTER TABLE conversations ADD COLUMN run TEXT;
ALTER TABLE conversations ADD COLUMN agent_package TEXT;
ALTER TABLE conversations ADD COLUMN agent TEXT;
ALTER TABLE conversations ADD COLUMN phase TEXT;
ALTER TABLE conversations ADD COLUMN reason TEXT;
UPDATE conversations SET run = (SELECT id FROM runs WHERE conversation_id = conversations.id
                                ORDER BY created_at DESC, id DESC LIMIT 1);
UPDATE conversations SET mode = 'chat', phase = 'idle' WHERE run IS NULL AND parent IS NULL;
CREATE INDEX conversations_at_work ON conversations (phase) WHERE phase IS NOT NULL;
