-- The files that went along with a person's words, as JSON; nothing where none did.
ALTER TABLE messages ADD COLUMN files TEXT;
