# SPDX-License-Identifier: Apache-2.0
"""The stiction command as its users meet it: texts, exit codes, JSON, interruption.

The command's path is in the environment variable STICTION.
"""

import contextlib
import json
import math
import os
import pathlib
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
from xml.etree import ElementTree

import terminal

STICTION = os.environ["STICTION"]
PROBLEMS = pathlib.Path(__file__).resolve().parents[1] / "data/problems"
COMMANDS = ["run", "preview", "info", "params", "fit", "solve", "validate", "bench", "version"]
DONE, FAILED, USAGE, INPUT, FILES, INTERRUPTED = 0, 1, 2, 3, 4, 130
ESCAPE = "\x1b"
CELLS, FRAMES = 40, 120  # of runs that are interrupted: some tenths of a second


def make_scene(cells=8, frames=6, substeps=2, **more):
    """A sheet that falls on a slope and a floor."""
    return {
        "stiction": 1, "title": "test", "frames": [1, frames], "substeps": substeps,
        "objects": [
            {"name": "sheet", "kind": "cloth", "position": [0, 0, 0.2],
             "grid": {"size": [0.6, 0.6], "cells": [cells, cells]}, "friction": 0.4},
            {"name": "slope", "kind": "collider", "shape": "plane",
             "rotation": {"axis": [0, 1, 0], "degrees": 25}, "friction": 0.3},
            {"name": "floor", "kind": "collider", "shape": "plane", "friction": 0.3},
        ], **more}


SMALL = ["--size", "160x120"]


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def environment(self, **more):
        plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        return {**plain, "TERM": "xterm", **more}

    def stiction(self, *arguments, expect=DONE):
        done = subprocess.run([STICTION, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def json_of(self, *arguments, expect=DONE):
        """All of stdout must be one document."""
        return json.loads(self.stiction(*arguments, "--json", expect=expect).stdout)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))


class Help(CommandTest):
    def test_without_arguments_all_commands_are_listed(self):
        for arguments in ([], ["--help"], ["-h"], ["help"]):
            text = self.stiction(*arguments).stdout
            for command in COMMANDS:
                self.assertIn(f"\n  {command} ", text)
            self.assertIn("Exit codes", text)

    def test_every_command_teaches_with_examples_and_exit_codes(self):
        for command in COMMANDS:
            text = self.stiction(command, "--help").stdout
            self.assertIn("usage: ", text)
            self.assertIn("--json", text)
            self.assertIn(f" {command}", text.split("Examples\n")[1])
            self.assertIn("\n  130  interrupted", text)

    def test_help_of_a_command_is_its_help_option(self):
        for command in COMMANDS:
            self.assertEqual(self.stiction("help", command).stdout,
                             self.stiction(command, "--help").stdout)

    def test_help_wins_over_missing_arguments(self):
        self.stiction("run", "--help")
        self.stiction("run", "--threads", "2", "-h")

    def test_version_names_library_and_abi(self):
        said = self.stiction("version").stdout
        self.assertRegex(said, r"^stiction \d+\.\d+\.\d+, ABI version 1\n$")
        self.assertEqual(self.stiction("--version").stdout, said)


class Mistakes(CommandTest):
    def test_unknown_command_suggests_the_nearest(self):
        self.assertIn('did you mean "validate"?', self.stiction("valdate", expect=USAGE).stderr)
        self.assertIn('did you mean "run"?', self.stiction("rnu", expect=USAGE).stderr)
        self.assertNotIn("did you mean", self.stiction("xyzzy", expect=USAGE).stderr)
        self.assertIn('"xyzzy"', self.stiction("help", "xyzzy", expect=USAGE).stderr)

    def test_unknown_option_suggests_the_nearest(self):
        said = self.stiction("run", "a.json", "--ouput", "x", expect=USAGE).stderr
        self.assertIn("--ouput; did you mean --output?", said)
        self.assertIn("run --help", said)
        self.assertIn("-z", self.stiction("run", "-z", expect=USAGE).stderr)

    def test_values_are_checked(self):
        for arguments, words in [
                (["run", "a", "--threads", "two"], "--threads two: expected a whole number"),
                (["run", "a", "--threads=-1"], "--threads -1: expected a whole number from 0"),
                (["run", "a", "--threads", "1025"], "from 0 to 1024"),
                (["run", "a", "--output", ""], '--output "": expected a text that is not empty'),
                (["run", ""], "SCENE is empty"),
                (["run", "a", "--threads"], "--threads needs a value"),
                (["run", "a", "--resume=yes"], "--resume takes no value"),
                (["preview", "a", "--size", "640"], "--size 640: expected two whole numbers"),
                (["preview", "a", "--frame", "nan"], "--frame nan"),
                (["preview", "a", "--moments", "0"], "--moments 0"),
                (["run"], "SCENE is missing"),
                (["run", "a", "b"], '"b" is one argument too many'),
                (["params", "clth"], 'did you mean "cloth"?'),
                (["validate", "incline"], 'did you mean "cloth/incline"?'),
                (["validate", "triangle"], 'did you mean "contact/triangle"?'),
                (["validate", "contact", "--plot", "a.svg"],
                 "--plot needs contact/triangle, contact/circle, rods/cantilever or "
                 "rods/tip-load as NAME"),
                (["bench", "cloth_frist"], 'did you mean "cloth_first"?'),
                (["bench", "contcat"], 'did you mean "contact"?'),
                (["bench", "rosd"], 'did you mean "rods"?'),
                (["bench", "contact", "--rods", "9"], '--rods is for the benchmark "rods"'),
                (["bench", "--problems", "p"], '--problems is for the benchmark "contact"'),
                (["bench", "contact", "--solver", "momentun"], 'did you mean "momentum"?'),
                (["bench", "contact", "--nu", "--solver", "aut"], 'did you mean "auto"?'),
                (["bench", "--locals"], '--locals is for the benchmark "contact"'),
                (["bench", "contact", "--plot", "p.svg"],
                 "--plot is for contact --locals or --nu"),
                (["bench", "contact", "--seeds", "3"], "--seeds is for contact --nu"),
                (["bench", "contact", "--locals", "--nu"],
                 "--locals is for contact without --nu"),
                (["bench", "--fibres"], '--fibres is for the benchmark "contact"'),
                (["bench", "contact", "--fibres", "--nu"],
                 "--fibres is for contact without --locals and --nu"),
                (["bench", "contact", "--sizes", "1000"], "--sizes is for contact --fibres"),
                (["bench", "contact", "--fibres", "--threads", "2"],
                 "--threads is for contact without --fibres")]:
            self.assertIn(words, self.stiction(*arguments, expect=USAGE).stderr)

    def test_after_two_dashes_everything_is_an_argument(self):
        said = self.stiction("info", "--", "--json", expect=FILES)
        self.assertIn("--json", said.stderr)
        self.assertEqual(said.stdout, "")

    def test_missing_file_is_named(self):
        for command in ("run", "preview", "info"):
            self.assertIn("none.json", self.stiction(command, "none.json", expect=FILES).stderr)

    def test_malformed_scene_gives_file_and_line(self):
        path = self.write("bad.json", '{\n  "stiction": 1,\n  "frames": [1,\n}')
        for command in ("run", "preview", "info"):
            self.assertRegex(self.stiction(command, path, expect=INPUT).stderr, r"bad\.json:\d")
        self.assertEqual(self.files(), ["bad.json"])

    def test_wrong_value_names_object_and_key(self):
        scene = make_scene()
        scene["objects"][0]["friction"] = -1
        said = self.stiction("run", self.write("s.json", scene), expect=INPUT).stderr
        self.assertIn("sheet", said)
        self.assertIn("friction", said)
        self.assertEqual(self.files(), ["s.json"])

    def test_output_folder_that_cannot_be_made_is_named(self):
        scene = self.write("s.json", make_scene())
        blocker = self.write("blocker", "a file")
        said = self.stiction("run", scene, "--output", blocker / "sub", expect=FILES).stderr
        self.assertIn("blocker", said)
        self.assertEqual(blocker.read_text(), "a file")
        self.stiction("preview", scene, "-o", blocker / "p.png", expect=FILES)
        self.stiction("bench", "cloth_first/flight", "--threads", "1", "--save", blocker / "sub",
                      expect=FILES)
        self.assertEqual(self.files(), ["blocker", "s.json"])

    def test_resume_without_a_checkpoint_is_an_error(self):
        scene = self.write("s.json", make_scene())
        done = subprocess.run([STICTION, "run", scene, "--output", self.folder / "o", "--resume"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, FILES)
        self.assertIn(f"there is no checkpoint in {self.folder}/o; run without resume", done.stderr)
        self.assertEqual(self.files(), ["s.json"])

    def test_file_beyond_the_limit_is_a_wrong_input(self):
        path = self.write("big.json", "{}")
        os.truncate(path, 1 << 40)
        self.assertIn("expected at most", self.stiction("run", path, expect=INPUT).stderr)

    def test_lost_output_is_a_failure(self):
        scene = self.write("s.json", make_scene())
        for arguments in (["params"], ["params", "--json"], ["version"], ["--help"],
                          ["info", "s.json"], ["run", "s.json", "-o", "o", "--no-picture"]):
            for redirection in (">/dev/full", ">&-"):
                command = [STICTION, *arguments]
                done = subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", *command],
                                      stderr=subprocess.PIPE, text=True, cwd=self.folder)
                self.assertEqual(done.returncode, FILES, (arguments, redirection))
                self.assertEqual(done.stderr.count("error: standard output: "), 1, done.stderr)
        self.stiction("run", scene, "-o", "whole", "--no-picture")
        for name in ("sheet.pc2", "sheet.obj"):  # nothing was printed into them
            self.assertEqual((self.folder / "o" / name).read_bytes(),
                             (self.folder / "whole" / name).read_bytes())


class Json(CommandTest):
    def test_every_command_prints_one_document(self):
        scene = self.write("s.json", make_scene())
        run = self.json_of("run", scene, "--output", "o", "--no-picture")
        self.assertTrue(run["complete"])
        self.assertEqual((run["frames"], run["frame"], run["nodes"]), (6, 6, 81))
        self.assertEqual(run["steps_not_converged"], 0)
        self.assertEqual(self.json_of("preview", scene, "-o", "p.png", *SMALL)["picture"], "p.png")
        self.assertEqual(self.json_of("info", scene)["type"], "scene")
        self.assertEqual(self.json_of("version")["abi"], 1)
        self.assertIn("friction", [row["name"] for row in self.json_of("params")["parameters"]])

    def test_validate_is_a_list_of_figures(self):
        figures = self.json_of("validate", "cloth/direction")
        self.assertGreater(len(figures), 5)
        for figure in figures:
            self.assertEqual(list(figure), ["name", "value", "expected", "error", "bound", "pass"])
            self.assertTrue(figure["name"].startswith("cloth/direction/"))
            self.assertIs(figure["pass"], figure["error"] <= figure["bound"])
        names = [row["name"] for row in self.json_of("validate", "--list")]
        self.assertIn("cloth/direction", names)

    def test_validate_draws_the_paths(self):
        self.json_of("validate", "contact/triangle", "--plot", "paths.svg")
        drawn = ElementTree.parse(self.folder / "paths.svg")
        words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        for name in ("exact", "4 facets", "8 facets", "16 facets"):
            self.assertIn(name, words)

    def test_bench_has_machine_and_rows(self):
        bench = self.json_of("bench", "cloth_first/flight", "--threads", "1", "--save", "results")
        self.assertEqual(sorted(bench["machine"]), ["compiler", "cores", "processor"])
        self.assertEqual([row["nodes"] for row in bench["rows"]], [1000, 10000, 100000])
        for row in bench["rows"]:
            self.assertGreater(row["nanoseconds_per_node_and_step"], 0)
            self.assertAlmostEqual(sum(row["shares"].values()), 1, places=9)
        [saved] = (self.folder / "results").iterdir()
        self.assertTrue(saved.name.endswith("-cloth_first.json"))
        self.assertEqual(len(json.loads(saved.read_text())["rows"]), 3)

    def bench_contact(self, *names, arguments=(), expect=DONE):
        folder = self.folder / "problems"
        folder.mkdir()
        for name in names:
            shutil.copy(PROBLEMS / f"{name}.hdf5", folder)
        return self.json_of("bench", "contact", "--problems", folder, *arguments, expect=expect)

    def test_bench_contact_has_a_row_for_each_problem_and_goal(self):
        bench = self.bench_contact("states_3", "crowd_4", arguments=["--save", "results"])
        goals = [("auto", 1e-5), ("auto", 1e-6), ("auto", 1e-8), ("momentum", 1e-5),
                 ("gauss-seidel", 1e-5)]
        self.assertEqual([(row["problem"], row["solver"], row["tolerance"])
                          for row in bench["rows"]],
                         [(name, *goal) for name in ("crowd_4", "states_3") for goal in goals])
        sizes = {row["problem"]: (row["contacts"], row["blocks"]) for row in bench["rows"]}
        self.assertEqual(sizes, {"crowd_4": (4, 16), "states_3": (3, 3)})
        for row in bench["rows"]:
            self.assertIs(row["reached"], True)
            self.assertLessEqual(row["residual_rel"], row["tolerance"])
            self.assertGreaterEqual(row["repetitions"], 3)
            self.assertGreaterEqual(row["milliseconds"], 0)
        [saved] = (self.folder / "results").iterdir()
        self.assertTrue(saved.name.endswith("-contact.json"))
        self.assertEqual(len(json.loads(saved.read_text())["rows"]), 10)

    def test_bench_contact_reports_a_bad_problem_among_the_others(self):
        bench = self.bench_contact("flat_1", "states_3", arguments=["--solver", "cadoux"],
                                   expect=INPUT)
        [bad, good] = bench["rows"]
        self.assertEqual((bad["problem"], bad["exit_code"]), ("flat_1", INPUT))
        self.assertEqual((good["solver"], good["reached"]), ("cadoux", True))

    def test_bench_contact_wants_a_folder_with_problems(self):
        said = self.bench_contact(expect=FILES)
        self.assertIn("there is no file that ends in .hdf5", said["error"])

    def test_bench_locals_compares_all_one_contact_solvers(self):
        bench = self.bench_contact("states_3", "crowd_4",
                                   arguments=["--locals", "--save", "results", "--plot", "p.svg"])
        rows = {row["local"]: row for row in bench["rows"]}
        listed = [row["name"] for row in self.json_of("solve", "--list")["locals"]]
        self.assertEqual(list(rows), listed)
        for row in rows.values():
            self.assertEqual([whole["problem"] for whole in row["whole"]], ["crowd_4", "states_3"])
            self.assertEqual(row["met"]["problems"], rows["ladder"]["met"]["problems"])
            for whole in row["whole"]:
                self.assertIs(whole["converged"], whole["residual_rel"] <= 1e-5)
                self.assertLessEqual(whole["failures"], whole["calls"])
        for name in ("ladder", "enum", "mfb+enum", "pyramid+enum"):
            self.assertEqual(rows[name]["met"]["failures"], 0, name)
            self.assertTrue(all(whole["converged"] for whole in rows[name]["whole"]), name)
        self.assertEqual(rows["ladder"]["met"]["ratio"], 1)
        # What fails alone is what is handed on.
        for name in ("mfb", "pac", "dac", "duriez08", "pyramid"):
            self.assertEqual(rows[name]["met"]["failures"],
                             rows[name + "+enum"]["met"]["fallbacks"], name)
        [saved] = (self.folder / "results").iterdir()
        self.assertTrue(saved.name.endswith("-contact_locals.json"))
        names = [title.text for title in
                 ElementTree.parse(self.folder / "p.svg").iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(names, listed)

    def test_bench_locals_reports_a_bad_problem_among_the_others(self):
        bench = self.bench_contact("flat_1", "states_3", arguments=["--locals"], expect=INPUT)
        self.assertEqual((bench["rows"][-1]["problem"], bench["rows"][-1]["exit_code"]),
                         ("flat_1", INPUT))
        self.assertEqual([whole["problem"] for whole in bench["rows"][0]["whole"]], ["states_3"])

    def test_bench_nu_has_a_row_for_each_nu_and_solver(self):
        arguments = ["bench", "contact", "--nu", "--seeds", "1", "--plot", "p.svg"]
        rows = self.json_of(*arguments)["rows"]
        solvers = ["newton-ac-pure", "newton-ac", "auto"]
        self.assertEqual([row["solver"] for row in rows], solvers * (len(rows) // 3))
        self.assertEqual((rows[0]["nu"], rows[-1]["nu"]), (0.2, 4))
        for row in rows:
            self.assertLessEqual(abs(3 * row["contacts"] / 144 - row["nu"]), 1.5 / 144)
            self.assertIs(row["iterations"] is None, row["converged"] == 0)
            if row["solver"] == "auto":
                self.assertEqual(row["converged"], 1, row)
        again = self.json_of(*arguments)["rows"]
        for row in rows + again:
            del row["milliseconds"]
        self.assertEqual(rows, again)
        names = [title.text for title in
                 ElementTree.parse(self.folder / "p.svg").iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(names, solvers)

    def test_bench_nu_that_is_interrupted_reports_what_it_has(self):
        process = subprocess.Popen([STICTION, "bench", "contact", "--nu", "--seeds", "10000",
                                    "--json"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertLess(len(json.loads(out)["rows"]), 36)

    def test_bench_fibres_has_a_row_for_each_size(self):
        arguments = ["bench", "contact", "--fibres", "--sizes", "200,2000"]
        rows = self.json_of(*arguments, "--save", "results")["rows"]
        self.assertEqual([(row["contacts"], row["bodies"]) for row in rows],
                         [(200, 16), (2000, 154)])
        for row in rows:
            self.assertTrue(row["equal_bits"] and row["reached"], row)
            self.assertTrue(0 < row["pressed"] < 1, row)
            for pair in ["nanoseconds_per_contact_and_sweep", "milliseconds", "milliseconds_setup"]:
                self.assertGreater(min(row[pair]), 0, row)
            for best, median in zip(row["nanoseconds_per_contact_and_sweep"],
                                    row["nanoseconds_per_contact_and_sweep_median"]):
                self.assertLessEqual(best, median)
            if row["bytes_per_contact"] is not None:  # not every C library counts
                self.assertGreater(row["bytes_per_contact"], 8 * 2 * 3 * 16)  # H of two fibres
        [saved] = (self.folder / "results").glob("*-contact_fibres.json")
        self.assertEqual(len(json.loads(saved.read_text())["rows"]), 2)
        counts = ["contacts", "bodies", "sweeps", "pressed", "equal_bits", "reached"]
        again = self.json_of(*arguments)["rows"]
        self.assertEqual([[row[name] for name in counts] for row in rows],
                         [[row[name] for name in counts] for row in again])
        table = self.stiction(*arguments).stdout
        for words in ["2,000", "equal", "ratio", "16 unknowns"]:
            self.assertIn(words, table)

    def test_bench_fibres_wants_sizes_it_can_make(self):
        for sizes in ["99", "2000001", "1000,", ",1000", "1000 2000", "-1000", "+1000", "1e3",
                      "99999999999999999999", ",".join(17 * ["100"])]:
            said = self.stiction("bench", "contact", "--fibres", f"--sizes={sizes}", expect=USAGE)
            self.assertIn("16 whole numbers from 100 to 2000000", said.stderr)

    def test_bench_fibres_that_is_interrupted_reports_what_it_has(self):
        process = subprocess.Popen([STICTION, "bench", "contact", "--fibres", "--json", "--sizes",
                                    "100,100000,100000"],
                                   cwd=self.folder, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertLess(len(json.loads(out)["rows"]), 3)

    def test_bench_rods_measures_every_model_and_more_elements(self):
        bench = self.json_of("bench", "rods", "--rods", "8", "--save", "results")
        rows = bench["rows"]
        models = list(dict.fromkeys(row["model"] for row in rows))
        self.assertIn("super-helix", models)
        self.assertEqual([(row["model"], row["threads"]) for row in rows[:2 * len(models)]],
                         [(model, threads) for model in models for threads in (1, 2)])
        self.assertEqual([(row["model"], row["elements"]) for row in rows[2 * len(models):]],
                         [(model, n) for model in models for n in (5, 10, 20, 50, 100)])
        for row in rows:
            self.assertEqual(row["rods"], 8)
            self.assertGreater(row["milliseconds_per_step"], 0)
            self.assertAlmostEqual(row["microseconds_per_rod"] * 8 / 1e3,
                                   row["milliseconds_per_step"], places=9)
        [saved] = (self.folder / "results").iterdir()
        self.assertTrue(saved.name.endswith("-rods.json"))
        self.assertEqual(len(json.loads(saved.read_text())["rows"]), len(rows))

    def test_errors_are_documents_too(self):
        for code, arguments in [(FILES, ["run", "none.json"]), (USAGE, ["run", "--no-such"]),
                                (USAGE, ["run"]), (USAGE, ["params", "nothing"]),
                                (INPUT, ["info", self.write("x.json", "{")])]:
            document = self.json_of(*arguments, expect=code)
            self.assertEqual(document["exit_code"], code)
            self.assertIsInstance(document["error"], str)


class Run(CommandTest):
    def test_three_lines_say_where_what_and_next(self):
        scene = self.write("s.json", make_scene())
        lines = self.stiction("run", scene, "-o", "o", "--no-picture").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["Results", "Figures", "Next"])
        self.assertIn("6 frames of 81 nodes", lines[1])

    def test_hair_runs_and_is_written_point_by_point(self):
        scene = make_scene(frames=3)
        scene["objects"] = [
            {"name": "head", "kind": "collider", "shape": "sphere", "radius": 0.1},
            {"name": "fur", "kind": "hair", "elements": 4,
             "grow": {"on": "head", "count": 20, "length": 0.1, "points": 5,
                      "curl": {"radius": 0.01, "pitch": 0.04}}}]
        self.write("s.json", scene)
        self.json_of("run", "s.json", "-o", "o")
        cache = (self.folder / "o" / "fur.pc2").read_bytes()
        self.assertEqual(len(cache), 32 + 3 * 100 * 12)  # a header, then frames of points
        self.assertTrue((self.folder / "o" / "picture.png").exists())

    def test_output_folder_of_the_scene_is_beside_it(self):
        scene = self.write("s.json", make_scene())
        output = pathlib.Path(self.json_of("run", scene, "--no-picture")["output"])
        self.assertTrue((self.folder / "out" / "s").samefile(output))

    def test_quiet_prints_nothing(self):
        done = self.stiction("run", self.write("s.json", make_scene()), "-o", "o", "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_quiet_keeps_the_answer_and_drops_the_report(self):
        self.assertEqual(self.stiction("params", "-q").stdout, self.stiction("params").stdout)
        self.assertEqual(self.stiction("validate", "cloth/direction", "-q").stdout, "")

    def test_next_can_be_pasted_and_takes_no_detour(self):
        (self.folder / "my scenes").mkdir()
        scene = make_scene(output={"folder": "../it's out"})
        self.write("my scenes/s.json", scene)
        where, _, after = self.stiction("run", "my scenes/s.json").stdout.splitlines()
        self.assertIn("'it'\\''s out': 3 files and picture.png", where)
        self.assertIn("look at 'it'\\''s out/picture.png'; ", after)
        said = subprocess.run(["sh", "-c", after.split("; ")[1]], capture_output=True, text=True,
                              check=True, cwd=self.folder).stdout
        self.assertIn("type: obj", said)

    def test_run_of_one_frame_simulates_nothing_and_says_so(self):
        scene = self.write("s.json", make_scene(frames=1))
        self.assertIn("nothing was simulated", self.stiction("run", scene, "-o", "o").stdout)

    def test_no_colours_when_piped(self):
        scene = self.write("s.json", make_scene())
        for arguments in (["run", scene, "-o", "o", "--no-picture"], ["params"], ["info", scene],
                          ["validate", "cloth/direction"], ["--help"], ["run", "--help"]):
            done = self.stiction(*arguments)
            self.assertNotIn(ESCAPE, done.stdout + done.stderr)
        self.assertNotIn(ESCAPE, self.stiction("rnu", expect=USAGE).stderr)

    def test_results_do_not_depend_on_threads(self):
        scene = self.write("s.json", make_scene(cells=40))
        for threads in (1, 2, 4):
            self.stiction("run", scene, "-o", f"o{threads}", "--threads", threads, "--no-picture")
        for threads in (2, 4):
            self.assertEqual((self.folder / f"o{threads}/sheet.pc2").read_bytes(),
                             (self.folder / "o1/sheet.pc2").read_bytes())

    def test_missed_tolerance_warns_and_is_strictly_a_failure(self):
        scene = make_scene(cells=20, frames=24, max_iterations=1, tolerance=1e-14)
        path = self.write("s.json", scene)
        arguments = ["run", path, "-o", "o", "--no-picture"]
        self.assertIn("missed the tolerance", self.stiction(*arguments).stderr)
        self.assertIn("missed the tolerance",
                      self.stiction(*arguments, "--strict", expect=FAILED).stderr)


class Pictures(CommandTest):
    def size_of(self, path):
        header = path.read_bytes()[:24]
        self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", header[16:])

    def test_run_draws_a_sheet_of_six_moments(self):
        self.stiction("run", self.write("s.json", make_scene(frames=20)), "-o", "o")
        width, height = self.size_of(self.folder / "o/picture.png")
        self.assertEqual((width, height), (3 * 480 + 12, 2 * 360 + 6))

    def test_no_picture_draws_none(self):
        self.stiction("run", self.write("s.json", make_scene()), "-o", "o", "--no-picture")
        self.assertNotIn("o/picture.png", self.files())

    def test_preview_writes_the_picture_and_nothing_else(self):
        scene = self.write("s.json", make_scene())
        self.stiction("preview", scene, "--frame", 3, "-o", "p.png", "--contacts", *SMALL)
        self.assertEqual(self.files(), ["p.png", "s.json"])
        self.assertEqual(self.size_of(self.folder / "p.png"), (160, 120))

    def test_preview_shows_different_frames_differently(self):
        scene = self.write("s.json", make_scene())
        for frame in (1, 6):
            self.stiction("preview", scene, "--frame", frame, "-o", f"{frame}.png", *SMALL)
        self.assertNotEqual((self.folder / "1.png").read_bytes(),
                            (self.folder / "6.png").read_bytes())

    def test_frame_outside_the_scene_is_refused(self):
        said = self.stiction("preview", self.write("s.json", make_scene()), "--frame", 7,
                             expect=USAGE).stderr
        self.assertIn("1 to 6", said)

    def test_nodes_without_triangles_are_drawn_too(self):
        scene = make_scene()
        for name in ("with", "without"):
            self.stiction("preview", self.write("s.json", scene), "-o", f"{name}.png", *SMALL)
            scene["objects"][0] = {"name": "dust", "kind": "cloth", "mass": 0.01,
                                   "points": [[0.1 * i, 0.1 * i, 0.2] for i in range(-3, 4)]}
        empty = make_scene()
        del empty["objects"][0]
        self.stiction("preview", self.write("s.json", empty), "-o", "empty.png", *SMALL)
        self.assertEqual(len({p.read_bytes() for p in self.folder.glob("*.png")}), 3)


class Tables(CommandTest):
    def test_markdown_has_every_row(self):
        page = self.stiction("params", "--markdown").stdout
        table = self.json_of("params")
        for row in table["parameters"] + table["arrays"]:
            self.assertIn(f"| `{row['name']}` |", page)

    def test_kind_selects_rows(self):
        names = [row["name"] for row in self.json_of("params", "scene")["parameters"]]
        self.assertIn("gravity", names)
        self.assertNotIn("friction", names)

    def test_info_of_what_run_wrote(self):
        scene = self.write("s.json", make_scene())
        self.stiction("run", scene, "-o", "o", "--no-picture")
        cache = self.json_of("info", "o/sheet.pc2")
        self.assertEqual((cache["samples"], cache["points"]), (6, 81))
        self.assertIn("samples: 6", self.stiction("info", "o/sheet.pc2").stdout)
        self.assertIn("minimum: -0.3, -0.3, 0.2\n", self.stiction("info", "o/sheet.obj").stdout)
        cut = self.folder / "cut.pc2"
        cut.write_bytes((self.folder / "o/sheet.pc2").read_bytes()[:100])
        self.stiction("info", cut, expect=INPUT)


class Fit(CommandTest):
    @staticmethod
    def curl(points=80, wobble=0.0):
        """A helix of two turns, or one whose height sways."""
        angles = [4 * math.pi * i / (points - 1) for i in range(points)]
        return [(0.01 * math.cos(a), 0.01 * math.sin(a), 0.004 * a + wobble * math.sin(3 * a))
                for a in angles]

    def write_obj(self, *strands):
        lines, count = [], 0
        for strand in strands:
            lines += ["v %r %r %r" % x for x in strand]
            lines.append("l " + " ".join(str(count + i + 1) for i in range(len(strand))))
            count += len(strand)
        (self.folder / "s.obj").write_text("# strands\no hair\n" + "\n".join(lines) + "\n")

    def test_a_helix_is_fitted_and_more_elements_fit_better(self):
        self.write_obj(self.curl(), self.curl(wobble=0.002))
        errors = [self.json_of("fit", "s.obj", "--elements", n)["worst_error"] for n in (8, 16, 32)]
        self.assertLess(errors[1], errors[0])
        self.assertLess(errors[2], errors[1])
        found = self.json_of("fit", "s.obj", "-n", 16)
        length = 4 * math.pi * math.hypot(0.01, 0.004)
        self.assertAlmostEqual(found["strands"][0]["length"], length, delta=1e-4 * length)
        self.assertEqual([row["points"] for row in found["strands"]], [80, 80])
        self.assertEqual(found["elements"], 32)
        text = self.stiction("fit", "s.obj").stdout
        self.assertIn("2 strands, 16 elements", text)

    def test_an_accuracy_takes_as_few_elements_as_it_needs(self):
        self.write_obj(self.curl(wobble=0.002))
        found = self.json_of("fit", "s.obj", "--accuracy", 3e-4)["strands"][0]
        self.assertLessEqual(found["error"], 3e-4)
        fewer = self.json_of("fit", "s.obj", "-n", found["elements"] - 1)["strands"][0]
        self.assertGreater(fewer["error"], 3e-4)
        self.assertEqual(self.json_of("fit", "s.obj", "-a", 1e-9, "-n", 4)["missed"], 1)

    def test_fitted_points_are_polylines_that_lie_by_the_strand(self):
        strand = self.curl()
        self.write_obj(strand)
        error = self.json_of("fit", "s.obj", "-n", 16, "-o", "out.obj")["worst_error"]
        lines = (self.folder / "out.obj").read_text().splitlines()
        points = [tuple(map(float, line.split()[1:])) for line in lines if line[0] == "v"]
        self.assertEqual(len(points), len(strand))
        self.assertEqual(len(lines[-1].split()), 1 + len(strand))
        for a, b in zip(points, strand):  # a strand of equal chords has equal shares of the length
            self.assertLess(math.dist(a, b), error + 1e-9)
        self.assertEqual(len(self.json_of("fit", "out.obj")["strands"]), 1)

    def test_plain_numbers_are_strands_too(self):
        (self.folder / "s.txt").write_text("0 0 0\n0 0 1\n\n\n1 0 0\n1 0 1\n1 0 2\n")
        found = self.json_of("fit", "s.txt")
        self.assertEqual([row["points"] for row in found["strands"]], [2, 3])
        self.assertAlmostEqual(found["length"], 3.0, delta=1e-12)

    def test_wrong_files_are_told_by_line_and_strand(self):
        for text, said in (("0 0 0\n1 2 x\n", "s.txt:2: expected three numbers"),
                           ("0 0 0 0\n", "s.txt:1: expected three numbers and no more"),
                           ("v 0 0 0\nl 1 2\n", "s.txt:2: expected numbers of vertices"),
                           ("v 0 0\n", "s.txt:1: expected v and three"),
                           ("0 0 0\n1 1 1\n\n1 1 nan\n2 2 2\n", "strand 2: "),
                           ("1 1 1\n1 1 1\n", "strand 1: "),
                           ("", "no strands")):
            (self.folder / "s.txt").write_text(text)
            self.assertIn(said, self.stiction("fit", "s.txt", expect=INPUT).stderr)
        self.stiction("fit", "nothing.obj", expect=FILES)
        self.stiction("fit", "s.txt", "--elements", 1000, expect=USAGE)
        self.stiction("fit", "s.txt", "--accuracy", -1, expect=USAGE)


class Presets(CommandTest):
    def write_hair(self, **more):
        return self.write("hair.json", {
            "stiction": 1, "frames": [1, 2], "output": {"folder": "o"},
            "objects": [
                {"name": "head", "kind": "collider", "shape": "sphere", "radius": 0.1},
                {"name": "hair", "kind": "hair",
                 "grow": {"on": "head", "count": 2, "length": 0.1, "points": 6}, **more}]})

    def points_of(self, **more):
        self.stiction("run", self.write_hair(**more), "-o", "o", "--no-picture")
        return (self.folder / "o/hair.pc2").read_bytes()

    def test_presets_are_listed_with_their_sources(self):
        names = [row["name"] for row in self.json_of("params", "--presets")["presets"]]
        self.assertIn("hair-asian", names)
        text = self.stiction("params", "--presets").stdout
        for name in names:
            self.assertIn(name, text)

    def test_a_preset_sets_the_parameters_and_the_object_has_the_last_word(self):
        """Spaghetti is round: its preset is what its table says."""
        pasta = {"diameter": 2.2e-3, "mass_density": 1080, "young": 0.3e6, "shear_ratio": 1 / 3,
                 "damping": 1e-2}
        preset = self.points_of(preset="spaghetti")
        self.assertNotEqual(preset, self.points_of())
        written, expected = ([x for x, in struct.iter_unpack("<f", data[32:])] for data in
                             (preset, self.points_of(**pasta)))
        for a, b in zip(written, expected, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-6)
        stiff = {**pasta, "young": 3e9}
        self.assertEqual(self.points_of(preset="spaghetti", **stiff), self.points_of(**stiff))

    def test_an_unknown_preset_suggests_the_nearest(self):
        scene = self.write_hair(preset="hair-asia")
        self.assertIn("hair-asian", self.stiction("run", scene, expect=INPUT).stderr)


class Interruption(CommandTest):
    """A run long enough to be caught in the middle."""

    TEN_FRAMES = 10 * (CELLS + 1) ** 2 * 12  # bytes in a PC2 file

    def setUp(self):
        super().setUp()
        self.scene = self.write("s.json", make_scene(cells=CELLS, frames=FRAMES, substeps=8))

    def start(self, output):
        return subprocess.Popen([STICTION, "run", str(self.scene), "-o", output, "--no-picture"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                cwd=self.folder, env=self.environment())

    def wait_for_frames(self, process, output):
        cache = self.folder / output / "sheet.pc2"
        while process.poll() is None:
            if cache.exists() and cache.stat().st_size > self.TEN_FRAMES:
                return
            time.sleep(0.001)

    def interrupt(self, output, *signals, pause=0.0):
        """On a busy machine a run may be over before it is caught; then another one is."""
        for _ in range(20):
            process = self.start(output)
            self.addCleanup(process.kill)
            self.wait_for_frames(process, output)
            for number in signals:
                process.send_signal(number)
                time.sleep(pause)
            out, err = process.communicate()
            if process.returncode != DONE:
                break
        self.assertEqual(process.returncode, INTERRUPTED, out + err)
        return out, err

    def finish_and_compare(self, output):
        self.stiction("run", self.scene, "-o", output, "--resume", "--no-picture")
        self.stiction("run", self.scene, "-o", "whole", "--no-picture")
        for name in ("sheet.pc2", "sheet.obj"):
            self.assertEqual((self.folder / output / name).read_bytes(),
                             (self.folder / "whole" / name).read_bytes(), name)

    def test_ctrl_c_finishes_the_frame_and_resume_gives_the_same_bytes(self):
        out, err = self.interrupt("o", signal.SIGINT)
        self.assertIn("finishing the frame", err)
        first_words = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(first_words, ["Stopped", "Figures", "Go"])
        self.assertIn(f"run {self.scene} --output o --resume", out)
        samples = self.json_of("info", "o/sheet.pc2")["samples"]
        self.assertTrue(10 <= samples < FRAMES, samples)
        self.finish_and_compare("o")

    def test_sigterm_does_the_same(self):
        self.interrupt("o", signal.SIGTERM)
        self.finish_and_compare("o")

    def test_the_way_to_go_on_can_be_pasted_into_a_shell(self):
        out, _ = self.interrupt("it's here", signal.SIGINT)
        command = out.splitlines()[2].removeprefix("Go on").strip()
        subprocess.run(["sh", "-c", command + " --no-picture -q"], check=True, cwd=self.folder)
        self.assertEqual(self.json_of("info", "it's here/sheet.pc2")["samples"], FRAMES)

    def test_second_ctrl_c_stops_inside_the_step_and_leaves_whole_files(self):
        self.interrupt("o", signal.SIGINT, signal.SIGINT, pause=0.002)
        self.assertLess(self.json_of("info", "o/sheet.pc2")["samples"], FRAMES)
        self.finish_and_compare("o")

    def test_folder_of_a_running_run_is_refused_until_that_is_gone(self):
        for _ in range(20):
            process = self.start("o")
            self.addCleanup(process.communicate)
            self.addCleanup(process.kill)
            self.wait_for_frames(process, "o")
            process.send_signal(signal.SIGSTOP)
            os.waitpid(process.pid, os.WUNTRACED)
            if process.poll() is None:
                break
        self.assertIn("another run is writing into o\n",
                      self.stiction("run", self.scene, "-o", "o", expect=FILES).stderr)
        process.kill()
        process.wait()
        self.stiction("run", self.scene, "-o", "o", "--no-picture")
        self.assertEqual(self.json_of("info", "o/sheet.pc2")["samples"], FRAMES)
        self.assertNotIn("o/.stiction.lock", self.files())

    def test_interrupted_preview_draws_nothing(self):
        scene = self.write("s.json", make_scene(frames=1000000))
        process = subprocess.Popen([STICTION, "preview", str(scene), "-o", "p.png"],
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertIn(process.returncode, (INTERRUPTED, -signal.SIGINT))
        self.assertEqual(self.files(), ["s.json"])


class Terminal(CommandTest):
    def on_terminal(self, *arguments, **environment):
        """What the command shows if stdout and stderr are a terminal."""
        ours, theirs = terminal.open_terminal(self)
        process = subprocess.Popen([STICTION, *map(str, arguments)], stdout=theirs, stderr=theirs,
                                   stdin=subprocess.DEVNULL, cwd=self.folder,
                                   env=self.environment(**environment))
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while select.select([ours], [], [], 120)[0]:
                block = os.read(ours, 65536)
                if not block:
                    break
                shown += block
        os.close(ours)
        self.assertEqual(process.wait(timeout=120), DONE, shown)
        return shown.decode()

    def test_progress_bar_has_rate_and_time_left(self):
        scene = self.write("s.json", make_scene(cells=70, frames=150, substeps=8))
        shown = self.on_terminal("run", scene, "-o", "o", "--no-picture", LC_ALL="C")
        lines = shown.split("\r")
        self.assertRegex(shown, r"simulating .*#+.*-+.* \d+%  frame \d+/149  [\d.e+]+ frames/s")
        self.assertRegex(shown, r"\d+ (s|min \d+ s) left")
        self.assertGreater(len(lines), 3)

    def test_bar_is_gone_at_the_end(self):
        scene = self.write("s.json", make_scene())
        shown = self.on_terminal("run", scene, "-o", "o", "--no-picture")
        after = shown.rsplit("\r\x1b[K", 1)[1]
        self.assertIn("Results", after)
        self.assertNotIn("simulating", after)

    def test_json_and_quiet_show_no_bar(self):
        scene = self.write("s.json", make_scene())
        arguments = ["run", scene, "-o", "o", "--no-picture"]
        json.loads(self.on_terminal(*arguments, "--json"))
        self.assertEqual(self.on_terminal(*arguments, "--quiet"), "")

    def test_colours_only_if_wanted(self):
        self.assertIn(ESCAPE, self.on_terminal("params"))
        self.assertNotIn(ESCAPE, self.on_terminal("params", NO_COLOR="1"))
        self.assertNotIn(ESCAPE, self.on_terminal("params", TERM="dumb"))


if __name__ == "__main__":
    unittest.main()
