# SPDX-License-Identifier: Apache-2.0
"""The shared library exports stn_get_api and nothing else."""

import subprocess
import unittest

from loaded import stiction


class Exports(unittest.TestCase):
    def test_one_symbol_is_exported(self):
        listing = subprocess.run(["nm", "-D", "--defined-only", stiction.load().path], check=True,
                                 stdout=subprocess.PIPE, universal_newlines=True).stdout
        self.assertEqual([line.split()[-1] for line in listing.splitlines()], ["stn_get_api"])


if __name__ == "__main__":
    unittest.main()
