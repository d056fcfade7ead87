-- All samples of the runs with these loads.
--   {loads:Array(UInt64)}
SELECT stack, row_table, process, window, load, alloc_space, alloc_objects, inuse_space, inuse_objects, freed, peak,
       impacting, slope, first, last
FROM samples
WHERE load GLOBAL IN (SELECT arrayJoin({loads:Array(UInt64)}))
