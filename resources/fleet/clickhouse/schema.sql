-- A fleet of runs in ClickHouse (18.16 or newer), version 2. See docs/fleet.md. Each statement ends with a
-- line that contains only a semicolon. Run all of them on every server, in the database of the fleet.
--   {local:Word}     suffix of the table names: empty on one server, _local on a cluster, where
--                    schema_cluster.sql creates the tables for queries
--   {on:Word}        empty, or ON CLUSTER and its name if the servers share their tables through ZooKeeper
-- Times are nanoseconds, absolute ones since 1970, UTC. Sizes are bytes. Empty values are unknown.

-- Version of the schema.
CREATE VIEW IF NOT EXISTS fleet {on:Word} AS SELECT toUInt32(2) AS version
;
-- A run exists if it has a row here, which is written last; samples of other loads are ignored. A change or removal
-- (is_removed) of a run is a new row with the next version; runs_there (schema_views.sql) selects the valid row. If a run
-- was added twice at the same time, the largest load is valid. present: processes with rows in a window, regardless of
-- their stacks. A run without the process of a stack is not compared.
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
-- Resident memory of the processes of runs that have samples of it, by the run, because it never changes: rows of runs
-- that were removed remain. process is a name. Fleets of earlier versions do not have this table until fleet init creates
-- it. held is NULL if it is unknown.
CREATE TABLE IF NOT EXISTS process_memory{local:Word} {on:Word} (
  run FixedString(32), process String, rss_peak Int64, held Nullable(Int64)
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY (run, process)
;
-- Frames by name, innermost first. owner: the first frame outside allocators and runtimes. unnamed: functions without a
-- name, by their position in frames (1: the innermost), with the build of their modules; the key includes both. When
-- functions get names later, the old stacks are kept, but no existing run has samples of them.
CREATE TABLE IF NOT EXISTS stacks{local:Word} {on:Word} (
  stack FixedString(16), owner String, frames Array(String), unnamed Nested(position UInt32, build_id String)
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY stack
;
-- Functions by normalized name; the place comes from the first run that has the function. The name of an unnamed function
-- is its module and RVA, with one row for each build of the module, even after it gets a name.
CREATE TABLE IF NOT EXISTS frames{local:Word} {on:Word} (
  name String, module String, build_id String, rva UInt64, is_named UInt8, file String, line UInt32
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY (name, is_named, build_id)
;
CREATE TABLE IF NOT EXISTS processes{local:Word} {on:Word} (
  id UInt64, name String
) ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY id
;
-- Totals of the rows of one table, process and stack in one window of a run. window: 0 is the whole run; others are ids
-- in the row of the run. row_table: 0 VirtualAlloc Commit LifeTimes, 1 Heap Allocations, 2 Frees, 3 Heap Snapshot,
-- 4 Managed Allocations, 5 GC Heap Size. The rows of a stack are stored together.
CREATE TABLE IF NOT EXISTS samples{local:Word} {on:Word} (
  stack FixedString(16), row_table UInt8, process UInt64, window UInt64, load UInt64,
  alloc_space Int64, alloc_objects Int64, inuse_space Int64, inuse_objects Int64, freed Int64, peak Int64,
  impacting Int64, slope Int64, first Int64, last Int64
) ENGINE = MergeTree() PARTITION BY tuple() ORDER BY (stack, row_table, process, window, load)
;
