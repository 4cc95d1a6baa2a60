-- Somebody asks whoever works on a conversation to stop. A mark on the lease: it ends with the work
-- it was meant for.
ALTER TABLE leases ADD COLUMN stop_asked INTEGER NOT NULL DEFAULT 0;
