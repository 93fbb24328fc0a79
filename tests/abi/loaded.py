# SPDX-License-Identifier: Apache-2.0
"""For tests in Python: `stiction`, the module under test, and a small scene.

    test_....py [plain]      plain: as if numpy were missing

A library that was built with a sanitizer cannot be loaded into a Python without one. Then importing
this ends the test with status 77, which meson counts as skipped.
"""

import os
import sys
import unittest

if os.environ.get("STICTION_SANITIZED") == "1":
    print("skipped: the library was built with a sanitizer")
    sys.exit(77)

PLAIN = "plain" in sys.argv[1:]
if PLAIN:
    sys.argv.remove("plain")
    sys.modules["numpy"] = None  # an import of it fails

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "plugin_abi"), os.path.join(ROOT, "plugin_abi", "python")]

import stiction  # noqa: E402  (found through the line above)

numpy = stiction.numpy
needs_numpy = unittest.skipUnless(numpy, "without numpy")

POSITIONS = [(0.0, 0.0, 0.5), (1.0, 0.0, 0.5), (0.0, 1.0, 0.5), (1.0, 1.0, 0.5)]
TRIANGLES = [(0, 1, 3), (0, 3, 2)]


def rows_of(values):
    """Numbers that came out, as lists."""
    return values.tolist()


class WithScene(unittest.TestCase):
    """A square sheet over a floor."""

    @classmethod
    def setUpClass(cls):
        cls.lib = stiction.load()

    def setUp(self):
        self.scene = stiction.Scene(self.lib, threads=1)
        self.addCleanup(self.scene.close)
        self.sheet = self.scene.add_cloth("sheet", POSITIONS, TRIANGLES)
        self.floor = self.scene.add_collider("floor", "plane")

    def assert_error(self, name, text, function, *arguments):
        with self.assertRaises(stiction.Error) as caught:
            function(*arguments)
        constant = "STN_ERROR_" + name.upper().replace(" ", "_")
        self.assertEqual(caught.exception.name, name)
        self.assertEqual(caught.exception.status, getattr(self.lib, constant))
        self.assertIn(text, caught.exception.text)
        self.assertIn(text, str(caught.exception))
