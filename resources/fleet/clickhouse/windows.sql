-- When a window begins and ends, by the loads of runs that have it.
--   {window:UInt64}               0: the whole, or the id of another window
SELECT load, windows.start[indexOf(windows.id, {window:UInt64})], windows.end[indexOf(windows.id, {window:UInt64})]
FROM runs_there
WHERE has(windows.id, {window:UInt64})
