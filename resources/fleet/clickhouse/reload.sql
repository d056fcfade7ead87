-- Switches runs to other samples, which are already written, by adding rows with a newer version. Preserves other changes
-- of the runs.
--   {loads:Array(UInt64)}         of existing runs
--   {new_loads:Array(UInt64)}, {sample_counts:Array(UInt64)}, {frames_unnamed:Array(UInt64)}   one for each of them
INSERT INTO runs
SELECT run, {new_loads:Array(UInt64)}[indexOf({loads:Array(UInt64)}, load)], version + 1, is_removed, trace, bytes,
       recorded_at, duration, recorder, system, events_lost, buffers_lost, stacks_unresolved, is_whole, health, build,
       machine, scenario, labels.name, labels.value, windows.id, windows.kind, windows.name, windows.start, windows.end,
       present.window, present.process, added_at, {sample_counts:Array(UInt64)}[indexOf({loads:Array(UInt64)}, load)],
       inuse_space, {frames_unnamed:Array(UInt64)}[indexOf({loads:Array(UInt64)}, load)]
FROM runs_there
WHERE has({loads:Array(UInt64)}, load)
