-- All runs.
--   {build:String}, {machine:String}, {scenario:String}   '' matches all
SELECT run, load, trace, bytes, recorded_at, duration, recorder, system, events_lost, buffers_lost, stacks_unresolved,
       is_whole, health, build, machine, scenario, labels.name, labels.value, added_at, sample_count, inuse_space,
       frames_unnamed
FROM runs_there
WHERE ({build:String} = '' OR build = {build:String}) AND ({machine:String} = '' OR machine = {machine:String})
  AND ({scenario:String} = '' OR scenario = {scenario:String})
