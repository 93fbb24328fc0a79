# SPDX-License-Identifier: Apache-2.0
"""Every figure of `stiction validate` lies within its bound, and every kind of figure is there.

The figures themselves, with their closed forms and bounds, are in tools/stiction/validate/.
"""

import json
import os
import subprocess
import unittest

FAMILIES = ["cloth/incline", "cloth/stopping", "cloth/direction", "cloth/turning", "cloth/drop",
            "cloth/corner", "contact/one", "contact/triangle", "contact/circle",
            "rods/cantilever", "rods/tip-load", "rods/end-moment", "rods/column", "rods/strip", "rods/ring",
            "rods/length", "rods/energy", "rods/damping", "rods/clamp"]
KEYS = {"name", "value", "expected", "error", "bound", "pass"}


class ValidateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = subprocess.run([os.environ["STICTION"], "validate", "--json"],
                                     stdout=subprocess.PIPE, check=False)
        cls.figures = json.loads(cls.command.stdout)

    def test_figures_have_the_documented_keys(self):
        for figure in self.figures:
            self.assertEqual(set(figure), KEYS)

    def test_every_figure_is_within_its_bound(self):
        wrong = [figure for figure in self.figures
                 if not (figure["pass"] and figure["error"] <= figure["bound"])]
        self.assertEqual(wrong, [])
        self.assertEqual(self.command.returncode, 0)

    def test_the_error_is_the_distance_to_the_closed_form(self):
        for figure in self.figures:
            distance = abs(figure["value"] - figure["expected"])
            self.assertAlmostEqual(figure["error"], distance, delta=1e-12 + 1e-6 * distance,
                                   msg=figure["name"])

    def test_every_family_is_there(self):
        for family in FAMILIES:
            names = [f["name"] for f in self.figures if f["name"].startswith(family + "/")]
            self.assertGreater(len(names), 3, family)

    def test_no_two_figures_have_the_same_name(self):
        names = [figure["name"] for figure in self.figures]
        self.assertEqual(len(names), len(set(names)))

    def test_every_solver_with_the_round_cone_follows_the_triangle(self):
        solvers = json.loads(subprocess.run([os.environ["STICTION"], "solve", "--list", "--json"],
                                            stdout=subprocess.PIPE, check=True).stdout)
        names = {figure["name"] for figure in self.figures}
        for solver in solvers["solvers"]:
            exact = not solver["name"].startswith("facets-")
            figure = "off-the-ode" if exact else "off-the-exact-path"
            self.assertIn("contact/triangle/mass/%s/%s" % (solver["name"], figure), names)

    def test_rods_of_every_model_bend_as_the_elastica_with_second_order(self):
        orders = {tuple(figure["name"].split("/")[2:4]): figure["value"]
                  for figure in self.figures if figure["name"].startswith("rods/cantilever/")
                  and figure["name"].endswith("/order")}
        models = {model for model, _ in orders}
        self.assertLessEqual({"super-helix", "discrete-elastic-rod", "mass-spring", "corde"},
                             models)
        for model in models:
            for gamma in ("gamma=1", "gamma=5", "gamma=10", "gamma=100"):
                self.assertGreater(orders[model, gamma], 1.7)

    def test_a_ring_buckles_at_michells_twist(self):
        names = [figure["name"] for figure in self.figures]
        self.assertIn("rods/ring/twist/super-helix/elements=48", names)


if __name__ == "__main__":
    unittest.main()
