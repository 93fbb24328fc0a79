#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases in the logs of `meson test` (meson-logs/testlog.json).

    tally.py LOG...                                    the sum over the logs, one line
    tally.py --configuration NAME --seconds S LOG...   the same for one configuration, after the
                                                       output of every test that failed

One meson test is one program. Programs that report their cases (Unity, Python's unittest) count
by case, any other counts as one. Nothing that went wrong may vanish in the count: a program that
failed in any way counts as at least one failure, and so does a log that is missing or empty.
Exit status: 0 if something passed and nothing failed, else 1.
"""

import argparse
import json
import re
import sys
from collections import namedtuple

UNITY = re.compile(r"^(\d+) Tests (\d+) Failures (\d+) Ignored\s*$", re.MULTILINE)
UNITTEST = re.compile(
    r"^Ran (\d+) tests? in .*\s+^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?\s*$", re.MULTILINE)
UNITTEST_DETAIL = re.compile(r"([a-z ]+)=(\d+)")
PASSED = {"OK", "EXPECTEDFAIL"}


class Count(namedtuple("Count", "passed failed skipped", defaults=(0, 0, 0))):
    def __add__(self, other):
        return Count(*(a + b for a, b in zip(self, other)))

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed"


def count_unity(match):
    ran, failed, ignored = map(int, match.groups())
    return Count(max(0, ran - failed - ignored), failed, ignored)


def count_unittest(match):
    ran, details = int(match[1]), match[2] or ""
    number = {name.strip(): int(n) for name, n in UNITTEST_DETAIL.findall(details)}
    failed = sum(number.get(k, 0) for k in ("failures", "errors", "unexpected successes"))
    skipped = number.get("skipped", 0)
    return Count(max(0, ran - failed - skipped), failed, skipped)


def output_of(test):
    return "\n".join(test.get(stream) or "" for stream in ("stdout", "stderr"))


def count_test(test):
    """The cases of one meson test, an object of the log."""
    if test.get("result") == "SKIP":
        return Count(skipped=1)
    output = output_of(test)
    cases = [count_unity(m) for m in UNITY.finditer(output)]
    cases += [count_unittest(m) for m in UNITTEST.finditer(output)]
    count = sum(cases, Count())
    if test.get("result") in PASSED:
        return count if cases else Count(passed=1)
    return count._replace(failed=max(1, count.failed))


def read_log(path):
    """The tests in a log; for a log that tells of none, one failed test that says so."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            tests = [json.loads(line) for line in log if line.strip()]
    except (OSError, ValueError) as error:
        tests, reason = [], str(error)
    else:
        reason = "it holds no test"
    return tests or [{"name": path, "result": "NO RESULTS", "stderr": reason}]


def print_failures(tests):
    for test in tests:
        if count_test(test).failed:
            status = f", exit status {test['returncode']}" if "returncode" in test else ""
            print(f"--- {test['name']}: {test['result']}{status}")
            print(output_of(test).strip())


def main():
    parser = argparse.ArgumentParser(description="Counts the tests in meson's logs.")
    parser.add_argument("--configuration", help="say its name and show what failed")
    parser.add_argument("--seconds", default="?", help="how long the configuration took")
    parser.add_argument("logs", nargs="+", metavar="LOG")
    options = parser.parse_args()

    tests = [test for path in options.logs for test in read_log(path)]
    count = sum(map(count_test, tests), Count())
    if options.configuration:
        print_failures(tests)
        skipped = f", {count.skipped} skipped" if count.skipped else ""
        print(f"{options.configuration}: {count}{skipped}, {options.seconds} s", flush=True)
    else:
        print(count)
    return 0 if count.passed and not count.failed else 1


if __name__ == "__main__":
    sys.exit(main())
