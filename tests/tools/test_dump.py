# SPDX-License-Identifier: Apache-2.0
"""stiction run --dump-problems: the problems of a run as files, and their answers.

The command's path is in the environment variable STICTION, the library's in STICTION_LIBRARY.
"""

import ctypes
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

STICTION = os.environ["STICTION"]
SANITIZED = os.environ.get("STICTION_SANITIZED") == "1"
ROOT = pathlib.Path(__file__).resolve().parents[2]
DONE, USAGE, FILES, INTERRUPTED = 0, 2, 4, 130


def make_scene(cells=8, frames=6, substeps=2):
    """A sheet that falls on a slope and a floor; where they meet its nodes have two contacts."""
    return {
        "stiction": 1, "frames": [1, frames], "substeps": substeps,
        "objects": [
            {"name": "sheet", "kind": "cloth", "position": [0, 0, 0.2],
             "grid": {"size": [0.6, 0.6], "cells": [cells, cells]}, "friction": 0.4},
            {"name": "slope", "kind": "collider", "shape": "plane",
             "rotation": {"axis": [0, 1, 0], "degrees": 25}, "friction": 0.3},
            {"name": "floor", "kind": "collider", "shape": "plane", "friction": 0.3},
        ]}


class DumpTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write_scene(make_scene())

    def write_scene(self, scene):
        (self.folder / "s.json").write_text(json.dumps(scene))

    def stiction(self, *arguments, expect=DONE, **more):
        done = subprocess.run([STICTION, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, stdin=subprocess.DEVNULL, **more)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def run_scene(self, *arguments, **more):
        return self.stiction("run", "s.json", "--no-picture", *arguments, **more)

    def steps(self, folder="p"):
        """Numbers of the steps whose files are there; nothing else may be."""
        names = sorted(path.name for path in (self.folder / folder).iterdir())
        numbers = [int(name[5:11]) for name in names]
        self.assertEqual(names, [f"step_{number:06d}.hdf5" for number in numbers])
        return numbers

    def solve(self, folder="p"):
        paths = [f"{folder}/step_{number:06d}.hdf5" for number in self.steps(folder)]
        said = self.stiction("solve", *paths, "--tol", "1e-8", "--out", "r.json", "--json").stdout
        return json.loads(said), json.loads((self.folder / "r.json").read_text())


class Files(DumpTest):
    def test_every_step_with_a_contact_leaves_a_file(self):
        said = self.run_scene("--dump-problems", "deep/down/p").stdout
        steps = self.steps("deep/down/p")
        lines = (self.folder / "out/s/frames.jsonl").read_text().splitlines()
        touching = [json.loads(line)["contacts"] > 0 for line in lines[1:]]
        self.assertEqual(steps, list(range(steps[0], 11)))
        self.assertEqual((steps[0] + 1) // 2, 1 + touching.index(True))
        self.assertIn(f"deep/down/p: {len(steps)} files", said)

    def test_the_files_are_solved_to_the_level_of_the_scene(self):
        run = json.loads(self.run_scene("--dump-problems", "p", "--json").stdout)
        solved, _ = self.solve()
        self.assertEqual(run["problems"], len(solved))
        self.assertEqual(max(row["contacts"] for row in solved), run["contacts"])
        for row in solved:
            self.assertTrue(row["converged"])
            self.assertLessEqual(row["residual"], 1e-7)  # the largest free velocity is below 10

    def test_steps_can_be_chosen(self):
        self.run_scene("--dump-problems", "p")
        every = self.steps()
        self.run_scene("--dump-problems", "odd", "--dump-every", "2")
        self.assertEqual(self.steps("odd"), [n for n in every if n % 2 == 1])
        self.run_scene("--dump-problems", "some", "--dump-steps", "6-9", "--dump-every", "3")
        self.assertEqual(self.steps("some"), [n for n in every if n in (6, 9)])

    def test_without_the_option_nothing_changes(self):
        self.assertEqual(json.loads(self.run_scene("--json").stdout)["problems"], 0)
        before = (self.folder / "out/s/sheet.pc2").read_bytes()
        self.run_scene("--dump-problems", "p")
        self.assertEqual((self.folder / "out/s/sheet.pc2").read_bytes(), before)

    def test_a_scene_that_touches_nothing_leaves_no_file(self):
        scene = make_scene()
        scene["objects"] = scene["objects"][:1]
        self.write_scene(scene)
        self.assertIn("p: 0 files", self.run_scene("--dump-problems", "p").stdout)
        self.assertEqual(self.steps(), [])


class Mistakes(DumpTest):
    def test_options_are_checked(self):
        for arguments, words in [
                (["--dump-every", "2"], "--dump-every needs --dump-problems"),
                (["--dump-steps", "2-3"], "--dump-steps needs --dump-problems"),
                (["--dump-problems", "p", "--dump-steps", "3-2"], "100-200"),
                (["--dump-problems", "p", "--dump-steps", "0-2"], "100-200"),
                (["--dump-problems", "p", "--dump-steps", "7"], "100-200"),
                (["--dump-problems", "p", "--dump-every", "-1"], "whole number")]:
            self.assertIn(words, self.run_scene(*arguments, expect=USAGE).stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_folder_that_cannot_be_made_fails_before_the_run(self):
        (self.folder / "file").write_text("")
        for folder in ("file", "file/p"):
            said = self.run_scene("--dump-problems", folder, expect=FILES).stderr
            self.assertIn(f"--dump-problems {folder}: Not a directory", said)
        self.assertFalse((self.folder / "out").exists())

    def test_a_file_that_cannot_be_written_ends_the_run(self):
        self.write_scene(make_scene(cells=4))  # its other files are small

        def allow_small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

        said = self.run_scene("--dump-problems", "p", expect=FILES, preexec_fn=allow_small_files)
        self.assertRegex(said.stderr, r"p/step_0000\d\d\.hdf5: cannot be written: File too large")
        self.assertEqual(self.steps(), [])
        self.assertTrue((self.folder / "out/s/checkpoint.state").exists())

    def test_a_name_that_is_taken_by_a_folder_ends_the_run(self):
        self.run_scene("--dump-problems", "p")
        first = self.folder / f"p/step_{self.steps()[0]:06d}.hdf5"
        first.unlink()
        first.mkdir()
        said = self.run_scene("--dump-problems", "p", "--json", expect=FILES)
        self.assertIn(first.name, json.loads(said.stdout)["error"])


class Interruption(DumpTest):
    def test_ctrl_c_leaves_whole_files_and_resume_goes_on(self):
        self.write_scene(make_scene(cells=30, frames=80, substeps=4))
        arguments = [STICTION, "run", "s.json", "--no-picture", "--dump-problems", "p"]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        while process.poll() is None and len(list(self.folder.glob("p/*.hdf5"))) < 20:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED, out + err)
        self.assertIn("--dump-problems p --resume", out)
        before = self.steps()
        self.run_scene("--dump-problems", "p", "--resume")
        self.assertEqual(self.steps(), list(range(before[0], 79 * 4 + 1)))
        self.stiction("solve", *sorted(self.folder.glob("p/*.hdf5"))[:20])


@unittest.skipIf(SANITIZED, "a library with a sanitizer cannot be loaded into Python")
class Answers(DumpTest):
    """The scene's own r and u, seen by a visitor from Python, against those of the files."""

    def visit(self):
        """(step, contacts per row of W, mass, r, u) of every step."""
        sys.path.insert(0, str(ROOT / "plugin_abi/python"))
        import stiction

        lib, seen = stiction.load(), []

        def note(_, step):
            p = step.contents.problem.contents
            n = p.contacts
            sizes = [p.row_start[i + 1] - p.row_start[i] for i in range(n)]
            w = [p.blocks[9 * p.row_start[i]] for i in range(n)]
            seen.append((step.contents.step, sizes, w, step.contents.r[:3 * n],
                         step.contents.u[:3 * n]))
            return 0

        contact = lib.extension("stiction.contact/1", "stn_ext_contact")
        visit_type = dict(lib.stn_problem_visitor._fields_)["visit"]
        visitor = lib.make(lib.stn_problem_visitor, visit=visit_type(note))
        with stiction.Shot(lib, str(self.folder / "s.json"), output=False) as shot:
            self.assertEqual(contact.visit_problems(shot.scene._live(), ctypes.byref(visitor)), 0)
            shot.begin()
            while shot.info.frame < shot.info.last_frame:
                shot.next_frame()
        return seen

    def test_the_answers_of_the_files_are_those_of_the_scene(self):
        self.run_scene("--dump-problems", "p")
        _, answers = self.solve()
        seen = self.visit()
        self.assertEqual([step for step, *_ in seen], self.steps())
        corners = 0
        for answer, (_, sizes, w, r, u) in zip(answers, seen):
            for k, (expected, found) in enumerate(zip(u, answer["u"])):
                self.assertAlmostEqual(found, expected, delta=1e-6)
            for k, size in enumerate(sizes):
                corners += size > 1
                if size == 1:  # several contacts of one node can share an impulse in many ways
                    for i in range(3 * k, 3 * k + 3):
                        self.assertAlmostEqual(w[k] * answer["r"][i], w[k] * r[i], delta=1e-6)
        self.assertGreater(corners, 0)


if __name__ == "__main__":
    unittest.main()
