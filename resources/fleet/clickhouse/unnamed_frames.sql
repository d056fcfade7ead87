-- Unnamed functions in runs.
SELECT name, any(module), build_id, any(rva)
FROM frames
WHERE is_named = 0 AND (name, build_id) GLOBAL IN (
  SELECT DISTINCT frames[position], build
  FROM stacks ARRAY JOIN unnamed.position AS position, unnamed.build_id AS build
  WHERE stack GLOBAL IN (
    SELECT DISTINCT stack FROM samples
    WHERE load GLOBAL IN (SELECT load FROM runs_there WHERE frames_unnamed > 0)))
GROUP BY name, build_id
