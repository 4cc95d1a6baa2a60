-- The node that a run is at; nothing of runs that did not move since it is kept.
ALTER TABLE runs ADD COLUMN node_id TEXT;
