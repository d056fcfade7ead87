-- The value of each stack in each run of one or two builds, as two lists: loads of runs, and values. The value is 0 in
-- runs that are not listed.
--   {from:String}, {to:String}    builds; equal for a single build
--   {machine:String}, {scenario:String}   '' matches all
--   {process:UInt64}              id of a process; 0 matches all
--   {row_table:Int16}             as in schema.sql; -1: all
--   {window:UInt64}               0: the whole run, or the id of another window
--   {measure:Identifier}          inuse_space, inuse_objects, alloc_space, alloc_objects, freed, peak, impacting, slope
--   {zeros:UInt8}                 1: include runs that have the stack with a value of 0, unless it is 0 in all
--   {least:Int64}                 omits stacks whose values, including 0, differ by less
SELECT stack, row_table, process, groupArray(load), groupArray({measure:Identifier})
FROM samples
WHERE window = {window:UInt64} AND ({zeros:UInt8} = 1 OR {measure:Identifier} != 0)
  AND ({process:UInt64} = 0 OR process = {process:UInt64})
  AND ({row_table:Int16} < 0 OR row_table = {row_table:Int16})
  AND load GLOBAL IN (
    SELECT load FROM runs_there
    WHERE build IN ({from:String}, {to:String}) AND ({machine:String} = '' OR machine = {machine:String})
      AND ({scenario:String} = '' OR scenario = {scenario:String}))
GROUP BY stack, row_table, process
HAVING toFloat64(greatest(max({measure:Identifier}), 0)) - toFloat64(least(min({measure:Identifier}), 0)) + 1 >= {least:Int64}
  AND (max({measure:Identifier}) != 0 OR min({measure:Identifier}) != 0)
SETTINGS distributed_group_by_no_merge = 1 -- a stack is on one server
