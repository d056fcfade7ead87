-- Created last, on every server, over the tables for queries.
--   {on:Word}        as in schema.sql
-- The existing runs: the row of the newest version of each run, unless it is removed. Simultaneous changes have the same
-- version, and removal takes precedence.
CREATE VIEW IF NOT EXISTS runs_there {on:Word} AS
  SELECT * FROM (SELECT * FROM runs ORDER BY run, version DESC, is_removed DESC, load DESC LIMIT 1 BY run)
  WHERE is_removed = 0
;
