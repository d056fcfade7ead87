-- Resident memory of the processes of runs that have samples of it. Fleets of earlier versions get this table with the first
-- such run. By the name of the run, because programs of earlier versions do not remove its rows, and may use its id again.
CREATE TABLE IF NOT EXISTS process_memory (
  run TEXT NOT NULL,                   -- as in runs
  process TEXT NOT NULL,               -- as in processes, but also without samples
  rss_peak INTEGER NOT NULL,           -- the highest Rss of a process with this name
  held INTEGER,                        -- Held Pages of all their heap blocks; NULL: unknown
  PRIMARY KEY (run, process)
) WITHOUT ROWID;
