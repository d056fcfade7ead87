-- Those of the stacks that occur in a run.
--   {stacks:Array(String)}        keys of stacks, 32 hexadecimal digits each
SELECT DISTINCT stack
FROM samples
WHERE stack GLOBAL IN (SELECT toFixedString(unhex(arrayJoin({stacks:Array(String)})), 16))
  AND load GLOBAL IN (SELECT load FROM runs_there)
