-- A fleet of runs in SQLite, version 1 (PRAGMA user_version; PRAGMA application_id is 1215776364). See docs/fleet.md.
-- Times are nanoseconds, absolute ones since 1970, UTC. Sizes are bytes. Empty values are unknown.

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,            -- 32 hexadecimal digits, from the trace's own header and size
  trace TEXT NOT NULL,                 -- path of the file
  bytes INTEGER NOT NULL,
  recorded_at INTEGER,                 -- NULL: unknown
  duration INTEGER NOT NULL,
  recorder TEXT NOT NULL,
  system TEXT NOT NULL,
  events_lost INTEGER NOT NULL,
  buffers_lost INTEGER NOT NULL,
  stacks_unresolved INTEGER NOT NULL,
  is_whole INTEGER NOT NULL,           -- 0: its totals are bounds
  build TEXT NOT NULL,
  machine TEXT NOT NULL,
  scenario TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  sample_count INTEGER NOT NULL,       -- of all windows
  inuse_space INTEGER NOT NULL,        -- of all samples of the whole run
  frames_unnamed INTEGER NOT NULL
);
CREATE INDEX runs_of_build ON runs (build);

-- Other labels of a run, and remarks on missing data, one sentence each.
CREATE TABLE labels (
  run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE health (
  run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, sentence TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- Intervals of a run. Number 0 is the whole run; kind: 0 whole, 1 between marks, 2 slice.
CREATE TABLE windows (
  run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
  start INTEGER NOT NULL, end INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE processes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- Processes with rows in a window of a run, regardless of their stacks. Runs without the process of a stack are not
-- compared.
CREATE TABLE run_processes (
  run INTEGER NOT NULL REFERENCES runs, window INTEGER NOT NULL, process INTEGER NOT NULL REFERENCES processes,
  PRIMARY KEY (run, window, process)
) WITHOUT ROWID;
CREATE TABLE row_tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO row_tables VALUES (0, 'VirtualAlloc Commit LifeTimes'), (1, 'Heap Allocations'), (2, 'Frees'),
  (3, 'Heap Snapshot'), (4, 'Managed Allocations'), (5, 'GC Heap Size');

-- Functions by normalized name, without duplicates; the place comes from the first run that has the function.
-- The name of an unnamed function is its module and RVA, with one row for each build of the module.
CREATE TABLE frames (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,                  -- "module!function"
  module TEXT NOT NULL,
  build_id TEXT NOT NULL,              -- of its debug file
  rva INTEGER NOT NULL,
  is_named INTEGER NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL                -- 0: unknown
);
CREATE INDEX frames_of_name ON frames (name);

-- The key is a 128-bit hash of the names of the frames, the same on every machine and in every build. For unnamed frames
-- it includes the build of their module. fleet name gives them names, and their stacks other keys.
CREATE TABLE stacks (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,            -- 16 bytes, most significant first
  owner INTEGER REFERENCES frames,     -- the first frame outside allocators and runtimes; NULL: no frames
  is_named INTEGER NOT NULL            -- 0: contains an unnamed function
);
CREATE TABLE stack_frames (            -- position 0 is the innermost
  stack INTEGER NOT NULL REFERENCES stacks, position INTEGER NOT NULL, frame INTEGER NOT NULL REFERENCES frames,
  PRIMARY KEY (stack, position)
) WITHOUT ROWID;

-- Totals of the rows of one table, process and stack in one window of a run. In the order in which runs are written
-- and compared. Finding one stack in all runs takes one lookup in each run.
CREATE TABLE samples (
  run INTEGER NOT NULL REFERENCES runs,
  window INTEGER NOT NULL,
  stack INTEGER NOT NULL REFERENCES stacks,
  process INTEGER NOT NULL REFERENCES processes,
  row_table INTEGER NOT NULL REFERENCES row_tables,
  alloc_space INTEGER NOT NULL, alloc_objects INTEGER NOT NULL,
  inuse_space INTEGER NOT NULL, inuse_objects INTEGER NOT NULL,
  freed INTEGER NOT NULL, peak INTEGER NOT NULL, impacting INTEGER NOT NULL,
  slope INTEGER NOT NULL,              -- bytes an hour
  first INTEGER NOT NULL, last INTEGER NOT NULL, -- starts of the first and last rows
  PRIMARY KEY (run, window, stack, process, row_table)
) WITHOUT ROWID;
