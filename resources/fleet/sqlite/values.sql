-- The value of each stack in each run of one or two builds. The value is 0 in runs that are not listed.
--   :from, :to       builds; equal for a single build
--   :machine, :scenario, :process   '' matches all
--   :row_table       as in row_tables; NULL: all
--   :window          'whole', or the name of another window
--   :measure         0 inuse_space, 1 inuse_objects, 2 alloc_space, 3 alloc_objects, 4 freed, 5 peak, 6 impacting, 7 slope
SELECT s.stack, s.row_table, s.process, s.run,
       CASE :measure WHEN 0 THEN s.inuse_space WHEN 1 THEN s.inuse_objects WHEN 2 THEN s.alloc_space
                     WHEN 3 THEN s.alloc_objects WHEN 4 THEN s.freed WHEN 5 THEN s.peak WHEN 6 THEN s.impacting
                     ELSE s.slope END AS value
FROM runs r
CROSS JOIN windows w ON w.run = r.id AND w.name = :window
CROSS JOIN samples s ON s.run = r.id AND s.window = w.number
WHERE r.build IN (:from, :to)
  AND (:machine = '' OR r.machine = :machine) AND (:scenario = '' OR r.scenario = :scenario)
  AND (:row_table IS NULL OR s.row_table = :row_table)
  AND (:process = '' OR s.process = (SELECT id FROM processes WHERE name = :process))
