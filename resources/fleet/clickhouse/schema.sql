-- A fleet of runs in ClickHouse (18.16 or newer), version 2. docs/fleet.md explains it. Each statement ends with a line of
-- its own; run with them all on every server, in the database of the fleet.
--   {local:Word}     what the names of the tables end with: nothing on one server, _local on a cluster, where
--                    schema_cluster.sql then makes the tables that are asked
--   {on:Word}        nothing, or ON CLUSTER and its name where the servers share their tables by ZooKeeper
-- Times are nanoseconds, sizes bytes, those of the day since 1970, UTC. What is empty was not said.

-- Which schema this is.
CREATE VIEW IF NOT EXISTS fleet {on:Word} AS SELECT toUInt32(2) AS version
;
-- A run is there when it has a row here, which is written last: samples of other loads do not count. What changes a run, or
-- takes it out (is_removed), is another row with the next version; runs_there (schema_views.sql) knows which row counts. Of
-- a run that was added twice at the same time the largest load does. present: which processes have rows in a window, whatever their
-- stacks; a run without the process of a stack says nothing of it.
CREATE TABLE IF NOT EXISTS runs{local:Word} {on:Word} (
  run FixedString(32), load UInt64, version UInt64, is_removed UInt8, trace String, bytes Int64, recorded_at Nullable(Int64), duration Int64,
  recorder String, system String, events_lost Int64, buffers_lost Int64, stacks_unresolved Int64, is_whole UInt8,
  health Array(String), build String, machine String, scenario String,
  labels Nested(name String, value String),
  windows Nested(id UInt64, kind UInt8, name String, start Int64, end Int64),
  present Nested(window UInt64, process UInt64),
  added_at Int64, sample_count Int64, inuse_space Int64, frames_unnamed Int64
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY (run, load, version)
;
-- Frames by their names, innermost first; owner: the first that is no allocator or runtime. unnamed: which functions in it
-- have no name, by their position in frames (1: the innermost), with the build of their modules; their key is over both.
-- Where functions got names since, their stacks stay, and no run that is there has samples of them.
CREATE TABLE IF NOT EXISTS stacks{local:Word} {on:Word} (
  stack FixedString(16), owner String, frames Array(String), unnamed Nested(position UInt32, build_id String)
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY stack
;
-- Functions by their normalised names; place: that of the run that brought it first. One without a name is called by its
-- module and RVA, and is there once for each build of the module, also when it has got a name.
CREATE TABLE IF NOT EXISTS frames{local:Word} {on:Word} (
  name String, module String, build_id String, rva UInt64, is_named UInt8, file String, line UInt32
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY (name, is_named, build_id)
;
CREATE TABLE IF NOT EXISTS processes{local:Word} {on:Word} (
  id UInt64, name String
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY id
;
-- What the rows of one table, process and stack come to in one window of a run. window: 0 is the whole, others have the
-- id that the run has for them. row_table: 0 VirtualAlloc Commit LifeTimes, 1 Heap Allocations, 2 Frees, 3 Heap Snapshot,
-- 4 Managed Allocations, 5 GC Heap Size. All that is known of a stack lies together.
CREATE TABLE IF NOT EXISTS samples{local:Word} {on:Word} (
  stack FixedString(16), row_table UInt8, process UInt64, window UInt64, load UInt64,
  alloc_space Int64, alloc_objects Int64, inuse_space Int64, inuse_objects Int64, freed Int64, peak Int64,
  impacting Int64, slope Int64, first Int64, last Int64
) ENGINE = MergeTree() PARTITION BY tuple() ORDER BY (stack, row_table, process, window, load)
;
