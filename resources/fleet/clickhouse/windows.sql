-- Start and end of a window in each run that has it, by load.
--   {window:UInt64}               0: the whole run, or the id of another window
SELECT load, windows.start[indexOf(windows.id, {window:UInt64})], windows.end[indexOf(windows.id, {window:UInt64})]
FROM runs_there
WHERE has(windows.id, {window:UInt64})
