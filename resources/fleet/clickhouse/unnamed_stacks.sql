-- Stacks in runs with unnamed functions, and the loads of these runs.
SELECT stack, groupUniqArray(load)
FROM samples
WHERE stack GLOBAL IN (SELECT stack FROM stacks WHERE notEmpty(unnamed.position))
  AND load GLOBAL IN (SELECT load FROM runs_there WHERE frames_unnamed > 0)
GROUP BY stack
SETTINGS distributed_group_by_no_merge = 1 -- a stack is on one server
