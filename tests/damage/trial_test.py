#!/usr/bin/env python3
"""A trial detects programs that crash, hang, use too much, answer nonsense or refuse without a message."""

import os
import tempfile
import unittest
from pathlib import Path

from trial import Found, Trial

SENTENCE = "echo 'highwater-cli: It is no trace.' >&2; exit 2"


class TrialTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = Path(self.folder.name)
        (self.build / "app/cli").mkdir(parents=True)
        self.file = self.build / "a.etl"
        self.file.write_bytes(b"content")

    def outcome(self, script, most_seconds=10.0, most_bytes=2 << 30, patience=60):
        cli = self.build / "app/cli/highwater-cli"
        cli.write_text("#!/bin/sh\n" + script + "\n")
        os.chmod(cli, 0o755)
        trial = Trial(self.build)
        trial.most_seconds, trial.most_bytes, trial.patience = most_seconds, most_bytes, patience
        return trial.run("info", self.file)

    def test_an_answer_is_right(self):
        self.assertEqual(self.outcome("echo '{}'").problem, "")

    def test_a_sentence_is_right(self):
        self.assertEqual(self.outcome(SENTENCE).problem, "")

    def test_a_signal_is_wrong(self):
        self.assertIn("signal 6", self.outcome("kill -ABRT $$").problem)

    def test_silence_is_wrong(self):
        self.assertIn("without a sentence", self.outcome("exit 2").problem)

    def test_other_exit_codes_are_wrong(self):
        self.assertIn("exit code 1", self.outcome("exit 1").problem)

    def test_what_is_no_json_is_wrong(self):
        self.assertIn("not JSON", self.outcome("echo '{'").problem)

    def test_reports_of_sanitizers_are_wrong(self):
        self.assertIn("sanitizer", self.outcome("echo 'x.cpp:1: runtime error: overflow' >&2; echo '{}'").problem)

    def test_hanging_is_wrong(self):
        self.assertEqual(self.outcome("exec sleep 60", patience=1).problem, "it hung")

    def test_taking_long_is_wrong(self):
        script = "exec python3 -c 'import time\nwhile time.process_time() < 1.2: pass\nprint(\"{}\")'"
        outcome = self.outcome(script, most_seconds=0.3)
        self.assertIn("it took longer than allowed: 1.", outcome.problem)
        self.assertTrue(outcome.is_late)

    def test_a_late_run_is_repeated(self):
        late = self.outcome("exec python3 -c 'import time\nwhile time.process_time() < 1.2: pass'", most_seconds=0.3)
        (self.build / "app/cli/highwater-cli").write_text("#!/bin/sh\necho '{}'\n")
        trial = Trial(self.build)
        self.assertEqual(trial.confirm(late, "info", self.file).problem, "")
        crash = self.outcome("kill -ABRT $$")
        self.assertIs(trial.confirm(crash, "info", self.file), crash)

    def test_taking_much_is_wrong(self):
        script = "exec python3 -c 'a = b\"x\" * (200 << 20); print(\"{}\")'"
        self.assertIn("MB", self.outcome(script, most_bytes=100 << 20).problem)

    def test_what_is_found_is_kept(self):
        found = Found(self.build / "found")
        outcome = self.outcome("exit 2")
        self.assertIn("found/a.etl", found.keep(Trial(self.build), "info", self.file, outcome))
        self.assertEqual((self.build / "found/a.etl").read_bytes(), b"content")
        self.assertEqual(found.count, 1)


if __name__ == "__main__":
    unittest.main()
