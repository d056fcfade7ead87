-- What is made last, on every server, over the tables that are asked.
--   {on:Word}        as in schema.sql
-- The runs that are there: of each the row of the newest version, unless that takes it out. What is changed at the same
-- moment has the same version: who takes a run out wins.
CREATE VIEW IF NOT EXISTS runs_there {on:Word} AS
  SELECT * FROM (SELECT * FROM runs ORDER BY run, version DESC, is_removed DESC, load DESC LIMIT 1 BY run)
  WHERE is_removed = 0
;
