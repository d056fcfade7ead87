-- On a cluster: the tables for queries, over the tables that schema.sql creates on each server (suffix _local). All runs of
-- a stack are on one server, so that comparing builds transfers nothing between servers.
--   {cluster:Identifier}, {database:Identifier}   {on:Word} as in schema.sql
CREATE TABLE IF NOT EXISTS runs {on:Word} AS runs_local
  ENGINE = Distributed({cluster:Identifier}, {database:Identifier}, runs_local, cityHash64(run))
;
CREATE TABLE IF NOT EXISTS process_memory {on:Word} AS process_memory_local
  ENGINE = Distributed({cluster:Identifier}, {database:Identifier}, process_memory_local, cityHash64(run))
;
CREATE TABLE IF NOT EXISTS stacks {on:Word} AS stacks_local
  ENGINE = Distributed({cluster:Identifier}, {database:Identifier}, stacks_local, cityHash64(stack))
;
CREATE TABLE IF NOT EXISTS frames {on:Word} AS frames_local
  ENGINE = Distributed({cluster:Identifier}, {database:Identifier}, frames_local, cityHash64(name))
;
CREATE TABLE IF NOT EXISTS processes {on:Word} AS processes_local
  ENGINE = Distributed({cluster:Identifier}, {database:Identifier}, processes_local, id)
;
CREATE TABLE IF NOT EXISTS samples {on:Word} AS samples_local
  ENGINE = Distributed({cluster:Identifier}, {database:Identifier}, samples_local, cityHash64(stack))
;
