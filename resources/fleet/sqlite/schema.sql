-- A fleet of runs in SQLite, version 1 (PRAGMA user_version; PRAGMA application_id is 1215776364). docs/fleet.md explains it.
-- Times are nanoseconds, sizes bytes, those of the day since 1970, UTC. What is empty was not said.

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,            -- 32 hexadecimal digits, from the trace's own header and size
  trace TEXT NOT NULL,                 -- where it lies
  bytes INTEGER NOT NULL,
  recorded_at INTEGER,                 -- NULL: not known
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

-- What else the user calls a run by, and what is missing in it, a sentence each.
CREATE TABLE labels (
  run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE health (
  run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, sentence TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- Parts of the time of a run. Number 0 is the whole; kind: 0 whole, 1 between marks, 2 slice.
CREATE TABLE windows (
  run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
  start INTEGER NOT NULL, end INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE processes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- Which processes have rows in a window of a run, whatever their stacks: runs without the process of a stack say nothing
-- of it.
CREATE TABLE run_processes (
  run INTEGER NOT NULL REFERENCES runs, window INTEGER NOT NULL, process INTEGER NOT NULL REFERENCES processes,
  PRIMARY KEY (run, window, process)
) WITHOUT ROWID;
CREATE TABLE row_tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO row_tables VALUES (0, 'VirtualAlloc Commit LifeTimes'), (1, 'Heap Allocations'), (2, 'Frees'),
  (3, 'Heap Snapshot'), (4, 'Managed Allocations'), (5, 'GC Heap Size');

-- Functions, each once by its normalised name; where that is known it is the place of the run that brought it first.
-- One without a name is called by its module and RVA, and is there once for each build of the module.
CREATE TABLE frames (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,                  -- "module!function"
  module TEXT NOT NULL,
  build_id TEXT NOT NULL,              -- of its debug file
  rva INTEGER NOT NULL,
  is_named INTEGER NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL                -- 0: not known
);
CREATE INDEX frames_of_name ON frames (name);

-- The key, 128 bits over the names of the frames, is the same on every machine and in every build; of frames without a
-- name it is over the build of their module, too. fleet name gives them names, and their stacks other keys.
CREATE TABLE stacks (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,            -- 16 bytes, the highest first
  owner INTEGER REFERENCES frames,     -- the first frame that is no allocator or runtime; NULL: there are no frames
  is_named INTEGER NOT NULL            -- 0: a function in it has no name
);
CREATE TABLE stack_frames (            -- position 0 is the innermost
  stack INTEGER NOT NULL REFERENCES stacks, position INTEGER NOT NULL, frame INTEGER NOT NULL REFERENCES frames,
  PRIMARY KEY (stack, position)
) WITHOUT ROWID;

-- What the rows of one table, process and stack come to in one window of a run. In the order in which runs are written
-- and compared; one stack of all runs is found by a look into each run.
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
  first INTEGER NOT NULL, last INTEGER NOT NULL, -- begins of the first row and of the last
  PRIMARY KEY (run, window, stack, process, row_table)
) WITHOUT ROWID;
