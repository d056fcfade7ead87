-- One stack in all runs that contain it.
--   {stack:String}                its key, 32 hexadecimal digits
--   {row_table:Int16}             as in schema.sql
--   {build:String}, {machine:String}, {scenario:String}   '' matches all
--   {process:UInt64}              id of a process; 0 matches all
--   {window:UInt64}               0: the whole run, or the id of another window
--   {measure:Identifier}          inuse_space, inuse_objects, alloc_space, alloc_objects, freed, peak, impacting, slope
SELECT load, process, {measure:Identifier}, first, last
FROM samples
WHERE stack = toFixedString(unhex({stack:String}), 16) AND row_table = {row_table:Int16}
  AND window = {window:UInt64} AND ({process:UInt64} = 0 OR process = {process:UInt64})
  AND load GLOBAL IN (
    SELECT load FROM runs_there
    WHERE ({build:String} = '' OR build = {build:String}) AND ({machine:String} = '' OR machine = {machine:String})
      AND ({scenario:String} = '' OR scenario = {scenario:String}))
