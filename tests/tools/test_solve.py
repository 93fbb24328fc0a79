# SPDX-License-Identifier: Apache-2.0
"""stiction solve as its users meet it: files in, answers, charts and errors out.

The command's path is in the environment variable STICTION. The problems are in tests/data/problems,
whose README says what they are; published ones are tried too where ../shared/problems exists.
"""

import json
import math
import os
import pathlib
import select
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

import terminal

STICTION = os.environ["STICTION"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBLEMS = ROOT / "tests/data/problems"
PUBLISHED = ROOT.parent / "shared/problems"
STATES, CROWD, GLOBAL, FLAT = (PROBLEMS / f"{name}.hdf5"
                               for name in ("states_3", "crowd_4", "global_1", "flat_1"))
DONE, FAILED, USAGE, INPUT, FILES, INTERRUPTED = 0, 1, 2, 3, 4, 130
KEYS = ["file", "contacts", "bodies", "solver", "local", "threads", "iterations", "converged",
        "residual", "residual_rel", "fb_error", "ac_error", "max_cone_violation",
        "min_normal_velocity", "stick", "slide", "takeoff", "seconds", "local_failures", "islands",
        "local_fallbacks", "seconds_read", "seconds_setup", "seconds_sweeps", "seconds_newton",
        "seconds_linear", "seconds_measure"]
SVG = "{http://www.w3.org/2000/svg}"


class SolveTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def solve(self, *arguments, expect=DONE):
        done = subprocess.run([STICTION, "solve", *map(str, arguments)], capture_output=True,
                              text=True, cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def json_of(self, *arguments, expect=DONE):
        """All of stdout must be one document."""
        return json.loads(self.solve(*arguments, "--json", expect=expect).stdout)

    def read_json(self, name):
        return json.loads((self.folder / name).read_text())

    def spoil(self, source, old, new):
        """A copy with one number replaced, as in the file: little-endian."""
        content = source.read_bytes()
        self.assertEqual(content.count(old), 1)
        path = self.folder / f"spoilt-{source.name}"
        path.write_bytes(content.replace(old, new))
        return path

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


class Answers(SolveTest):
    def test_take_off_stick_and_slide_are_those_of_Coulomb(self):
        self.solve(STATES, "--out", "r.json", "--tol", 1e-12)
        solution = self.read_json("r.json")
        r = [0, 0, 0, 1, -0.1, -0.2, 1, -0.3, -0.4]
        u = [1, 0.5, 0, 0, 0, 0, 0, 2.7, 3.6]
        # W is I or 2 I: errors of r are at most the residual, 1e-12 of the largest |b_i| = sqrt(26)
        for found, expected in zip(solution["r"] + solution["u"], r + u, strict=True):
            self.assertLessEqual(abs(found - expected), 2e-11)

    def test_global_form_is_solved_as_its_local_one(self):
        self.solve(GLOBAL, "--out", "r.json", "--tol", 1e-12)
        for found, expected in zip(self.read_json("r.json")["r"], [1.9, 0.8, -0.8], strict=True):
            self.assertLessEqual(abs(found - expected), 1e-11)

    def test_global_form_is_solved_without_its_local_one(self):
        row = self.json_of(GLOBAL, "--solver", "nodal-gauss-seidel", "--out", "r.json",
                           "--tol", 1e-12)
        self.assertEqual(list(row), KEYS)
        self.assertEqual((row["solver"], row["stick"]), ("nodal-gauss-seidel", 1))
        for found, expected in zip(self.read_json("r.json")["r"], [1.9, 0.8, -0.8], strict=True):
            self.assertLessEqual(abs(found - expected), 1e-11)

    def test_every_figure_is_there(self):
        row = self.json_of(STATES)
        self.assertEqual(list(row), KEYS)
        self.assertEqual((row["contacts"], row["bodies"], row["converged"]), (3, None, True))
        self.assertEqual((row["stick"], row["slide"], row["takeoff"]), (1, 1, 1))
        self.assertEqual(row["file"], str(STATES))
        self.assertAlmostEqual(row["residual"], row["residual_rel"] * math.sqrt(26), places=15)

    def test_tolerance_is_relative_to_the_largest_free_velocity(self):
        for tolerance in (1e-3, 1e-6, 1e-9):
            row = self.json_of(CROWD, "--tol", tolerance)
            self.assertLessEqual(row["residual_rel"], tolerance)
            largest = math.hypot(-1.015625, -0.25, 0.5)  # |b_i| of the second contact
            self.assertAlmostEqual(row["residual"] / row["residual_rel"], largest, places=12)

    def test_all_solvers_with_the_round_cone_agree(self):
        answers = []
        for solver in self.json_of("--list")["solvers"]:
            if solver["name"].startswith("facets-"):
                continue
            self.solve(CROWD, "--solver", solver["name"], "--tol", 1e-10, "--out", "r.json")
            answers.append(self.read_json("r.json")["u"])
        self.assertGreater(len(answers), 1)
        for answer in answers[1:]:
            for a, b in zip(answer, answers[0], strict=True):
                # The condition of W is (4 + 0.02) / 0.02 = 201: velocities are within some hundred
                # residuals, which are 1e-10 of 1.2 m/s.
                self.assertLessEqual(abs(a - b), 1e-7)

    def test_facets_say_that_they_miss_the_round_cone(self):
        rows = [self.json_of(CROWD, "--solver", f"facets-{k}", expect=FAILED) for k in (4, 8, 16)]
        for row in rows:
            self.assertFalse(row["converged"])
            self.assertEqual(row["local_failures"], 0)

    def test_answers_do_not_depend_on_threads(self):
        for threads in (1, 2, 4):
            row = self.json_of(CROWD, "--threads", threads, "--out", f"{threads}.json")
            self.assertEqual(row["threads"], threads)
        for threads in (2, 4):
            self.assertEqual(self.read_json(f"{threads}.json"), self.read_json("1.json"))


class SeveralFiles(SolveTest):
    def test_one_file_is_an_object_and_several_are_a_list(self):
        self.assertIsInstance(self.json_of(STATES, "--out", "r.json"), dict)
        self.assertEqual(list(self.read_json("r.json")), ["r", "u"])
        rows = self.json_of(STATES, CROWD, "--out", "r.json", "--trace", "t.json")
        self.assertEqual([row["contacts"] for row in rows], [3, 4])
        self.assertEqual([len(one["r"]) for one in self.read_json("r.json")], [9, 12])
        self.assertEqual(len(self.read_json("t.json")), 2)

    def test_a_bad_file_does_not_keep_the_others_from_being_solved(self):
        rows = self.json_of(STATES, FLAT, CROWD, "--out", "r.json", expect=INPUT)
        self.assertEqual([row.get("converged") for row in rows], [True, None, True])
        self.assertEqual(list(rows[1]), ["file", "error", "exit_code"])
        self.assertEqual(rows[1]["exit_code"], INPUT)
        self.assertIsNone(self.read_json("r.json")[1])
        said = self.solve(STATES, FLAT, CROWD, expect=INPUT)
        self.assertIn("flat_1 ", said.stdout)
        self.assertIn("3 problems, 1 not solved", said.stdout)
        self.assertIn("2-D problems are not supported", said.stderr)

    def test_the_table_has_a_row_per_file(self):
        lines = self.solve(STATES, CROWD).stdout.splitlines()
        names = [line.split()[0] for line in lines if line.endswith("ok")]
        self.assertEqual(names, ["states_3", "crowd_4"])
        self.assertEqual(lines[-1], "2 problems")


class Misses(SolveTest):
    ARGUMENTS = [CROWD, "--solver", "gauss-seidel", "--max-iter", 3]

    def test_a_missed_tolerance_is_exit_code_1_and_the_best_is_reported(self):
        row = self.json_of(*self.ARGUMENTS, "--out", "r.json", expect=FAILED)
        self.assertFalse(row["converged"])
        self.assertEqual(row["iterations"], 3)
        self.assertGreater(row["residual_rel"], 1e-6)
        self.assertEqual(len(self.read_json("r.json")["r"]), 12)
        self.assertIn("MISSED", self.solve(*self.ARGUMENTS, expect=FAILED).stdout)

    def test_an_unreadable_file_counts_more_than_a_missed_tolerance(self):
        self.solve(*self.ARGUMENTS, "none.hdf5", expect=FILES)


class Traces(SolveTest):
    def test_trace_has_a_residual_per_iteration_down_to_the_result(self):
        row = self.json_of(CROWD, "--solver", "gauss-seidel", "--trace", "t.json")
        trace = self.read_json("t.json")
        self.assertEqual(trace["solver"], "gauss-seidel")
        self.assertEqual(trace["iteration"], list(range(1, row["iterations"] + 1)))
        self.assertEqual(len(trace["residual_rel"]), row["iterations"])
        self.assertEqual(trace["residual_rel"][-1], row["residual_rel"])

    def test_the_phases_are_parts_of_the_whole(self):
        for solver, phases in [("auto", ["sweeps"]), ("newton-ac", ["newton", "linear"]),
                               ("cadoux", [])]:
            row = self.json_of(CROWD, "--solver", solver)
            told = [row[f"seconds_{phase}"] for phase in ("sweeps", "newton", "linear")]
            self.assertLessEqual(sum(told), row["seconds"] * (1 + 1e-9))
            for phase in phases + ["read", "setup", "measure"]:
                self.assertGreater(row[f"seconds_{phase}"], 0, (solver, phase))

    def test_one_file_is_told_in_detail(self):
        said = self.solve(STATES).stdout
        for words in (r"islands +3\n", r"one-contact fall-backs +0\n", r"one-contact failures +0\n",
                      r"reading the file +\d", r"  sweeps +\d", r"measuring the answer +\d"):
            self.assertRegex(said, words)
        self.assertNotIn("linear algebra", said)

    def chart(self, *files):
        self.solve(*files, "--plot", "p.svg")
        return xml.etree.ElementTree.parse(self.folder / "p.svg").getroot()

    def test_chart_has_a_line_and_a_legend_entry_per_file(self):
        svg = self.chart(STATES, CROWD)
        texts = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
        for expected in ("states_3", "crowd_4", "iteration", "tolerance 1e-06"):
            self.assertIn(expected, texts)
        titles = [title.text for title in svg.iter(f"{SVG}title")]
        self.assertEqual(titles, ["states_3", "crowd_4"])
        width, height = (float(svg.get(side)) for side in ("width", "height"))
        for circle in svg.iter(f"{SVG}circle"):
            self.assertTrue(0 < float(circle.get("cx")) < width)
            self.assertTrue(0 < float(circle.get("cy")) < height)

    def test_chart_takes_any_file_name(self):
        path = self.folder / "a<b>&\"\u00e9\n.hdf5"
        path.write_bytes(CROWD.read_bytes())
        self.assertEqual(self.chart(path).find(f".//{SVG}title").text, "a<b>&\"???")


class Writing(SolveTest):
    def test_a_problem_written_back_has_the_same_answer(self):
        for problem in (STATES, CROWD, GLOBAL):
            first = self.json_of(problem, "--write", "w.hdf5", "--out", "1.json")
            again = self.json_of("w.hdf5", "--out", "2.json")
            self.assertEqual(first["iterations"], again["iterations"])
            self.assertEqual(self.read_json("1.json"), self.read_json("2.json"))

    def test_a_file_may_be_written_over_itself(self):
        path = self.folder / "p.hdf5"
        path.write_bytes(CROWD.read_bytes())
        self.solve(path, "--write", path)
        self.solve(path)
        self.assertEqual(self.files(), ["p.hdf5"])

    def test_what_cannot_be_written_is_named_and_leaves_nothing(self):
        for option in ("--out", "--plot", "--trace", "--write"):
            said = self.solve(STATES, option, "no/where", expect=FILES).stderr
            self.assertIn("no/where: ", said)
            self.assertIn("No such file or directory", said)
        self.assertEqual(self.files(), [])
        document = self.json_of(STATES, "--out", "no/where", expect=FILES)
        self.assertEqual(document["exit_code"], FILES)

    def test_devices_are_written_to_and_not_replaced(self):
        self.solve(STATES, "--out", "/dev/null", "--plot", "/dev/null")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        said = self.solve(STATES, "--quiet", "--out", "/dev/stdout").stdout
        self.assertEqual(list(json.loads(said)), ["r", "u"])


class BadFiles(SolveTest):
    def refused(self, path, words, code=INPUT):
        said = self.solve(path, expect=code).stderr
        self.assertIn(f"{path}: ", said)
        self.assertIn(words, said)
        self.assertNotIn("HDF5-DIAG", said)
        document = self.json_of(path, expect=code)
        self.assertEqual((document["file"], document["exit_code"]), (str(path), code))
        self.assertIn(words, document["error"])

    def test_files_that_are_not_there_or_not_HDF5(self):
        self.refused("none.hdf5", "No such file", FILES)
        self.refused(".", "this is no file", FILES)
        text = self.folder / "text.hdf5"
        text.write_text("no problem")
        self.refused(text, "this is not an HDF5 file")
        text.write_text("")
        self.refused(text, "this is not an HDF5 file")

    def test_truncated_files(self):
        content = STATES.read_bytes()
        cut = self.folder / "cut.hdf5"
        for part in (0.1, 0.5, 0.9, 1.0):
            cut.write_bytes(content[:int(part * len(content)) - 1])
            self.refused(cut, "damaged or truncated (HDF5 says: truncated file")

    def test_flat_problems(self):
        self.refused(FLAT, "2-D problems are not supported")

    def test_spoilt_numbers_are_named(self):
        def pack(value):
            return struct.pack("<d", value)

        for value, words in ((math.nan, "element 1 is nan, expected a finite number"),
                             (math.inf, "element 1 is inf, expected a finite number"),
                             (-0.375, "element 1 is -0.375, expected 0 or more")):
            self.refused(self.spoil(STATES, pack(0.375), pack(value)),
                         f"/fclib_local/vectors/mu: {words}")

    def test_spoilt_indices_are_named(self):
        def pack(*values):
            return struct.pack(f"<{len(values)}i", *values)

        starts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        self.refused(self.spoil(STATES, pack(*starts), pack(*starts[:9], 1 << 30)),
                     f"/fclib_local/W/p: element 9 is {1 << 30}, expected 8 to 9")

    def test_a_contact_without_compliance_is_named(self):
        path = self.spoil(STATES, struct.pack("<3d", 2, 2, 2), struct.pack("<3d", 0, 0, 0))
        self.refused(path, "contact 0")

    def test_a_singular_mass_matrix_is_named(self):
        path = self.spoil(GLOBAL, struct.pack("<d", 4), struct.pack("<d", 0))
        self.refused(path, "/fclib_global/M is singular or indefinite at row 2")


class CommandLine(SolveTest):
    def test_list_names_solvers_and_the_default_first(self):
        catalogue = self.json_of("--list")
        said = self.solve("--list").stdout
        for kind in ("solvers", "global_solvers", "locals"):
            for entry in catalogue[kind]:
                self.assertIn(f"  {entry['name']} ", said)
        self.assertEqual([entry["name"] for entry in catalogue["global_solvers"]],
                         ["nodal-gauss-seidel"])
        row = self.json_of(STATES)
        self.assertEqual(row["solver"], catalogue["solvers"][0]["name"])
        self.assertEqual(row["local"], catalogue["locals"][0]["name"])

    def test_every_solver_and_local_solver_can_be_chosen(self):
        catalogue = self.json_of("--list")
        for option, kind in (("--solver", "solvers"), ("--local", "locals")):
            for entry in catalogue[kind]:
                done = subprocess.run([STICTION, "solve", STATES, option, entry["name"], "--json"],
                                      capture_output=True, text=True)
                self.assertIn(done.returncode, (DONE, FAILED))
                self.assertEqual(json.loads(done.stdout)[option[2:]], entry["name"])

    def test_solvers_of_global_files_say_so_of_local_ones(self):
        said = self.solve(STATES, "--solver", "nodal-gauss-seidel", expect=INPUT).stderr
        self.assertIn(f"{STATES}: ", said)
        self.assertIn("does not hold a problem in global form", said)
        rows = self.json_of(STATES, GLOBAL, "--solver", "nodal-gauss-seidel", expect=INPUT)
        self.assertEqual([row.get("converged") for row in rows], [None, True])

    def test_mistakes_are_usage_errors(self):
        for arguments, words in [
                ([], "FILE... is missing"),
                ([STATES, "--solver", "gauss-siedel"], 'did you mean "gauss-seidel"?'),
                ([STATES, "--solver", "nodal-gaus-seidel"], 'did you mean "nodal-gauss-seidel"?'),
                ([STATES, "--local", "xyzzy"], 'no one-contact solver "xyzzy"; see solve --list'),
                ([STATES, "--tol", "0"], "--tol 0: expected a number between 0 and 1"),
                ([STATES, "--tol", "-1e-6"], "--tol -1e-06"),
                ([STATES, "--tol", "2"], "--tol 2"),
                ([STATES, "--tol", "nan"], "--tol nan"),
                ([STATES, "--max-iter", "many"], "--max-iter many")]:
            self.assertIn(words, self.solve(*arguments, expect=USAGE).stderr)

    def test_quiet_prints_only_errors(self):
        done = self.solve(STATES, "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        done = self.solve(FLAT, "--quiet", expect=INPUT)
        self.assertEqual(done.stdout, "")
        self.assertIn("2-D", done.stderr)


class Interruption(SolveTest):
    """A tolerance below rounding keeps the solver busy for as long as the test needs it."""

    def read_until(self, ours, words, seconds=30):
        said, end = "", time.monotonic() + seconds
        while words not in said:
            self.assertLess(time.monotonic(), end, f"no {words!r} in {said!r}")
            if select.select([ours], [], [], 1)[0]:
                said += os.read(ours, 4096).decode()
        return said

    def test_ctrl_c_stops_and_reports_the_best_found(self):
        ours, its_end = terminal.open_terminal(self)
        self.addCleanup(os.close, ours)
        command = [STICTION, "solve", CROWD, STATES, "--solver", "gauss-seidel", "--tol", "1e-300",
                   "--max-iter", str(2**32 - 1), "--out", "r.json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its_end, text=True,
                              cwd=self.folder, env={**os.environ, "TERM": "xterm"}) as process:
            self.addCleanup(lambda: process.poll() is None and process.kill())
            os.close(its_end)
            self.read_until(ours, "solving crowd_4: iteration")
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("stopped\n", said)
        self.assertNotIn("states_3 ", said)
        [solution] = self.read_json("r.json")
        self.assertEqual(len(solution["r"]), 12)


@unittest.skipUnless(PUBLISHED.is_dir(), "no published problems here")
class Published(SolveTest):
    CONTACTS = {"single_1": 1, "three_1": 3, "rover_5": 5, "one_object_25": 25,
                "global_box_stacks_31": 31, "boxes_stack_52": 52, "capsules_276": 276}

    def test_small_published_problems_are_solved_by_default(self):
        rows = self.json_of(*(PUBLISHED / f"{name}.hdf5" for name in self.CONTACTS))
        for row, contacts in zip(rows, self.CONTACTS.values(), strict=True):
            self.assertTrue(row["converged"], row)
            self.assertEqual(row["contacts"], contacts)
            self.assertEqual(row["stick"] + row["slide"] + row["takeoff"], contacts)

    def test_a_published_global_problem_is_solved_as_it_is(self):
        row = self.json_of(PUBLISHED / "global_box_stacks_31.hdf5", "--solver",
                           "nodal-gauss-seidel", "--tol", 1e-8)
        self.assertTrue(row["converged"])
        self.assertEqual(row["contacts"], 31)


if __name__ == "__main__":
    unittest.main()
