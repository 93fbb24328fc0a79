# SPDX-License-Identifier: Apache-2.0
"""docs/parameters.md is what `stiction params --markdown` prints. $STICTION is the command."""

import difflib
import os
import pathlib
import subprocess
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "parameters.md"


def print_page():
    return subprocess.run([os.environ["STICTION"], "params", "--markdown"], stdout=subprocess.PIPE,
                          encoding="utf-8", check=True).stdout


class ParametersPage(unittest.TestCase):
    def test_the_page_is_what_the_command_prints(self):
        page, printed = PAGE.read_text(encoding="utf-8"), print_page()
        difference = difflib.unified_diff(page.splitlines(), printed.splitlines(),
                                          "docs/parameters.md", "printed", lineterm="")
        self.assertEqual(page, printed, "\n".join(difference) +
                         "\nrun: stiction params --markdown > docs/parameters.md")


if __name__ == "__main__":
    unittest.main()
