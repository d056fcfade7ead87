-- Removes a run by adding a row with a newer version.
--   {run:String}                  32 hexadecimal digits
INSERT INTO runs (run, load, version, is_removed) SELECT run, load, version + 1, 1 FROM runs_there WHERE run = {run:String}
