-- One stack in all runs that contain it, largest first.
--   :stack           key of the stack: x'00112233445566778899aabbccddeeff'
--   :row_table       as in row_tables
--   :build, :machine, :scenario, :process   '' matches all
--   :window          'whole', or the name of another window
--   :measure         0 inuse_space, 1 inuse_objects, 2 alloc_space, 3 alloc_objects, 4 freed, 5 peak, 6 impacting, 7 slope
SELECT s.run, p.name,
       CASE :measure WHEN 0 THEN s.inuse_space WHEN 1 THEN s.inuse_objects WHEN 2 THEN s.alloc_space
                     WHEN 3 THEN s.alloc_objects WHEN 4 THEN s.freed WHEN 5 THEN s.peak WHEN 6 THEN s.impacting
                     ELSE s.slope END AS value,
       w.start, w.end, s.first, s.last
FROM runs r
CROSS JOIN windows w ON w.run = r.id AND w.name = :window
CROSS JOIN samples s ON s.run = r.id AND s.window = w.number AND s.stack = (SELECT id FROM stacks WHERE key = :stack)
JOIN processes p ON p.id = s.process
WHERE (:build = '' OR r.build = :build)
  AND (:machine = '' OR r.machine = :machine) AND (:scenario = '' OR r.scenario = :scenario)
  AND s.row_table = :row_table
  AND (:process = '' OR p.name = :process)
ORDER BY value DESC
