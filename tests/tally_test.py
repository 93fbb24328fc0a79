# SPDX-License-Identifier: Apache-2.0
"""The tally counts every case, and no failure gets lost."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tally
from tally import Count

UNITY_LINE = "x.c:1:test_a:PASS\n\n-----------------------\n{} Tests {} Failures {} Ignored\n"


def count(result, stdout="", stderr=""):
    return tally.count_test({"name": "t", "result": result, "stdout": stdout, "stderr": stderr})


class CountOneTest(unittest.TestCase):
    def test_unity_counts_by_case(self):
        self.assertEqual(count("OK", UNITY_LINE.format(7, 0, 2) + "OK\n"), Count(5, 0, 2))
        self.assertEqual(count("FAIL", UNITY_LINE.format(7, 3, 0) + "FAIL\n"), Count(4, 3, 0))

    def test_unittest_counts_by_case(self):
        said = "...\n-----\nRan 9 tests in 0.1s\n\n"
        self.assertEqual(count("OK", stderr=said + "OK\n"), Count(9, 0, 0))
        self.assertEqual(count("OK", stderr=said + "OK (skipped=2)\n"), Count(7, 0, 2))
        self.assertEqual(
            count("FAIL", stderr=said + "FAILED (failures=1, errors=2, skipped=3)\n"),
            Count(3, 3, 3))
        self.assertEqual(
            count("FAIL", stderr=said + "FAILED (unexpected successes=1)\n"), Count(8, 1, 0))
        self.assertEqual(count("OK", stderr="Ran 1 test in 0.1s\n\nOK\n"), Count(1, 0, 0))

    def test_other_programs_count_as_one(self):
        self.assertEqual(count("OK", "fine\n"), Count(1, 0, 0))
        self.assertEqual(count("FAIL"), Count(0, 1, 0))
        self.assertEqual(count("SKIP"), Count(0, 0, 1))
        self.assertEqual(count("EXPECTEDFAIL"), Count(1, 0, 0))

    def test_two_summaries_in_one_output_add_up(self):
        self.assertEqual(count("OK", UNITY_LINE.format(2, 0, 0) * 2), Count(4, 0, 0))

    def test_a_crash_after_a_clean_summary_is_a_failure(self):
        for result in ("FAIL", "ERROR", "TIMEOUT", "INTERRUPT", "UNEXPECTEDPASS"):
            self.assertEqual(count(result, UNITY_LINE.format(5, 0, 0)), Count(5, 1, 0))

    def test_failures_reported_by_a_program_that_exits_cleanly_count(self):
        self.assertEqual(count("OK", UNITY_LINE.format(5, 1, 0)), Count(4, 1, 0))

    def test_streams_may_be_missing(self):
        self.assertEqual(tally.count_test({"name": "t", "result": "OK"}), Count(1, 0, 0))
        self.assertEqual(
            tally.count_test({"name": "t", "result": "OK", "stdout": None}), Count(1, 0, 0))


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_log(self, name, *tests):
        path = self.folder / name
        path.write_text("".join(json.dumps(test) + "\n" for test in tests))
        return str(path)

    def run_tally(self, *arguments):
        done = subprocess.run([sys.executable, tally.__file__, *arguments],
                              capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def test_the_last_line_sums_all_logs(self):
        a = self.write_log("a", {"name": "t", "result": "OK"}, {"name": "s", "result": "SKIP"})
        b = self.write_log("b", {"name": "t", "result": "OK"})
        self.assertEqual(self.run_tally(a, b), (0, ["2 passed, 0 failed"]))
        self.assertEqual(self.run_tally(b), (0, ["1 passed, 0 failed"]))

    def test_output_of_failed_tests_is_shown(self):
        log = self.write_log("a", {"name": "good", "result": "OK", "stdout": "quiet"},
                             {"name": "bad", "result": "FAIL", "returncode": -11,
                              "stdout": "x.c:3: expected 1"})
        status, lines = self.run_tally("--configuration", "gcc", "--seconds", "3", log)
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["--- bad: FAIL, exit status -11", "x.c:3: expected 1",
                                 "gcc: 1 passed, 1 failed, 3 s"])

    def test_a_missing_empty_or_broken_log_is_a_failure(self):
        good = self.write_log("good", {"name": "t", "result": "OK"})
        broken = self.folder / "broken"
        broken.write_text('{"name": "t", "resu')
        for bad in (self.folder / "missing", self.write_log("empty"), broken):
            self.assertEqual(self.run_tally(good, str(bad)), (1, ["1 passed, 1 failed"]))

    def test_only_skipped_tests_are_not_a_success(self):
        log = self.write_log("a", {"name": "s", "result": "SKIP"})
        self.assertEqual(self.run_tally(log), (1, ["0 passed, 0 failed"]))


if __name__ == "__main__":
    unittest.main()
