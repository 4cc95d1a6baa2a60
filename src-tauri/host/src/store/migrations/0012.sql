-- How many steps of a run are done, and of how many; nothing of runs that did not move since it is kept.
ALTER TABLE runs ADD COLUMN steps_done INTEGER;
ALTER TABLE runs ADD COLUMN steps_total INTEGER;
