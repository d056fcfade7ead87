-- All runs, oldest first.
--   :build, :machine, :scenario   '' matches all
SELECT id, run, trace, bytes, recorded_at, duration, recorder, system, events_lost, buffers_lost, stacks_unresolved,
       is_whole, build, machine, scenario, added_at, sample_count, inuse_space, frames_unnamed
FROM runs
WHERE (:build = '' OR build = :build) AND (:machine = '' OR machine = :machine)
  AND (:scenario = '' OR scenario = :scenario)
ORDER BY recorded_at IS NULL, recorded_at, run
