-- Changes the path, build, machine, scenario and other labels of an existing run by adding a row with a newer version.
--   {run:String}                  32 hexadecimal digits
--   {trace:String}, {build:String}, {machine:String}, {scenario:String}
--   {names:Array(String)}, {values:Array(String)}   labels
INSERT INTO runs
SELECT run, load, version + 1, is_removed, {trace:String}, bytes, recorded_at, duration, recorder, system, events_lost,
       buffers_lost, stacks_unresolved, is_whole, health, {build:String}, {machine:String}, {scenario:String},
       {names:Array(String)}, {values:Array(String)}, windows.id, windows.kind, windows.name, windows.start, windows.end,
       present.window, present.process, added_at, sample_count, inuse_space, frames_unnamed
FROM runs_there
WHERE run = {run:String}
