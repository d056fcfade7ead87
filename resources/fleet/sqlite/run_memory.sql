-- Resident memory of the runs that have samples of it. Fleets of earlier versions get this table with the first such run.
-- By the name of the run, because programs of earlier versions do not remove its row, and may use its id again.
CREATE TABLE IF NOT EXISTS run_memory (
  run TEXT PRIMARY KEY,                -- as in runs
  rss_peak INTEGER NOT NULL,           -- the highest Rss of a process
  held INTEGER                         -- Held Pages of all heap blocks; NULL: unknown
) WITHOUT ROWID;
