# SPDX-License-Identifier: Apache-2.0
"""The Python module: how it builds itself, objects, time, callbacks, errors, lifetimes, shots."""

import ctypes
import gc
import os
import sys
import tempfile
import threading
import unittest

from loaded import POSITIONS, ROOT, TRIANGLES, WithScene, numpy, rows_of, stiction


class Building(WithScene):
    def test_everything_described_is_there(self):
        for row in self.lib.rows:
            if row.kind == "const":
                self.assertEqual(getattr(self.lib, row.name), row.offset)
            elif row.kind == "struct":
                self.assertEqual(ctypes.sizeof(getattr(self.lib, row.name)), row.size)
            elif row.kind == "entry" and row.owner == "stn_api":
                self.assertTrue(callable(getattr(self.lib.api, row.name)))

    def test_a_layout_that_is_not_ours_is_refused(self):
        names = [(row.owner, row.name) for row in self.lib.rows]
        struct, field = names.index(("", "stn_view")), names.index(("stn_view", "count"))
        for i, change, text in ((field, {"offset": 20}, "stn_view.count is described at 20"),
                                (field, {"size": 4}, "stn_view.count is described at 16 with 4"),
                                (struct, {"size": 64}, "stn_view is described with 64"),
                                (field, {"type": "stn_thing"}, "'stn_thing'")):
            rows = list(self.lib.rows)
            rows[i] = rows[i]._replace(**change)
            with self.assertRaisesRegex(ImportError, text):
                stiction._Types(rows)

    def test_a_library_that_is_not_there_is_an_import_error_or_os_error(self):
        with self.assertRaises(OSError):
            stiction.load(os.path.join(ROOT, "nothing.so"))
        with self.assertRaisesRegex(ImportError, "no such|does not have the extension"):
            self.lib.extension("stiction.nothing/1", "stn_ext_shot")

    def test_another_version_is_refused(self):
        self.addCleanup(setattr, stiction, "ABI_VERSION", stiction.ABI_VERSION)
        stiction.ABI_VERSION = 99
        with self.assertRaisesRegex(ImportError, "version 99"):
            stiction.load()

    def test_tables_are_lists_of_dicts(self):
        friction = next(p for p in self.lib.parameters if p["name"] == "friction")
        self.assertEqual(friction["components"], 1)
        self.assertTrue(friction["kinds"] & self.lib.STN_KIND_CLOTH)
        self.assertTrue(friction["doc"])
        position = next(a for a in self.lib.arrays if a["name"] == "position")
        self.assertEqual((position["components"], position["unit"]), (3, "m"))


class Parameters(WithScene):
    def test_numbers_and_vectors_are_read_and_written(self):
        self.floor["friction"] = 0.25
        self.assertEqual(self.floor["friction"], 0.25)
        self.scene["gravity"] = 1, 2, -3
        self.assertEqual(self.scene["gravity"], (1.0, 2.0, -3.0))
        self.scene["substeps"] = 7
        self.assertEqual(self.scene["substeps"], 7.0)

    def test_errors_have_the_librarys_text(self):
        self.assert_error("unknown name", "'friction'", self.floor.__setitem__, "frction", 1)
        self.assert_error("unknown name", "'gravity'", self.scene.__getitem__, "gravty")
        self.assert_error("invalid argument", "-1", self.floor.__setitem__, "friction", -1)
        self.assert_error("invalid argument", "gravity", self.scene.__setitem__, "gravity", (1, 2))
        self.assert_error("wrong kind", "density", self.floor.__getitem__, "density")


class Objects(WithScene):
    def test_objects_are_found_listed_and_destroyed(self):
        self.assertEqual(self.scene.objects(), [self.sheet, self.floor])
        self.assertEqual(self.scene.find("floor"), self.floor)
        self.assertEqual(self.sheet.name, "sheet")
        info = self.sheet.info
        self.assertEqual((info.kind, info.nodes, info.triangles), (self.lib.STN_KIND_CLOTH, 4, 2))
        self.floor.destroy()
        self.assertEqual(self.scene.objects(), [self.sheet])
        self.assert_error("stale id", "", self.floor.destroy)
        self.assert_error("unknown name", "floor", self.scene.find, "floor")

    def test_cloth_takes_all_its_arrays(self):
        cloth = self.scene.add_cloth(None, POSITIONS, TRIANGLES, velocities=[(1, 0, 0)] * 4,
                                     masses=[1, 2, 3, 4], rest_positions=POSITIONS)
        self.assertEqual(rows_of(cloth.array("velocity")), [[1, 0, 0]] * 4)
        self.assertEqual(rows_of(cloth.array("mass")), [1, 2, 3, 4])
        self.assertTrue(cloth.name)

    def test_hair_has_guides_maps_and_a_skin(self):
        skin = self.scene.add_collider("skin", "mesh", triangles=[[0, 1, 2]],
                                       positions=[[-1, -1, 0], [2, -1, 0], [-1, 2, 0]])
        points = [[0.1 * i, 0, 0.05 * k] for i in range(3) for k in range(4)]
        hair = self.scene.add_hair("hair", points, [4, 4, 4], surface=skin, guides=[0, 2])
        self.assertEqual((hair.info.strands, hair.info.nodes), (3, 12))
        hair.set_array("friction_map", [1, 0.5, 2])
        self.assertEqual(rows_of(hair.array("friction_map")), [1, 0.5, 2])
        skin.set_array("target", [[-1, -1, 0.5], [2, -1, 0.5], [-1, 2, 0.5]])
        self.scene.advance_to_frame(self.scene.time.frame + 1)
        for i in range(3):
            root = rows_of(hair.array("position"))[4 * i]
            for got, wanted in zip(root, (0.1 * i, 0, 0.5)):
                self.assertAlmostEqual(got, wanted, places=12)

    def test_colliders_have_shape_size_and_pose(self):
        ball = self.scene.add_collider("ball", "sphere", 0.5, position=(1, 2, 3))
        self.assertEqual((ball.info.shape, ball.info.size[0]), (self.lib.STN_SHAPE_SPHERE, 0.5))
        self.assertEqual(ball.pose().position, (1.0, 2.0, 3.0))
        same = self.scene.add_collider("same", self.lib.STN_SHAPE_SPHERE, [0.5])
        self.assertEqual(same.info.size, ball.info.size)
        box = self.scene.add_collider("box", "box", (1, 2, 3))
        self.assertEqual(tuple(box.info.size), (1, 2, 3))
        tent = self.scene.add_collider("tent", "mesh", positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                                       triangles=[[0, 1, 2]])
        self.assertEqual((tent.info.nodes, tent.info.triangles), (3, 1))
        self.assertEqual(rows_of(tent.array("target")), [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        with self.assertRaisesRegex(ValueError, "'teapot'; shapes are plane, sphere, "):
            self.scene.add_collider("b", "teapot")

    def test_forces_have_type_pose_and_parameters(self):
        wind = self.scene.add_force("wind", "wind", rotation=(0.5 ** 0.5, 0, 0.5 ** 0.5, 0))
        self.assertEqual((wind.info.kind, wind.info.shape),
                         (self.lib.STN_KIND_FORCE, self.lib.STN_FORCE_WIND))
        wind["strength"] = 4
        self.scene["gravity"] = 0, 0, 0
        self.sheet["cloth_drag"] = 1e6
        self.scene.step(0.01)
        for row in rows_of(self.sheet.array("velocity")):
            self.assertAlmostEqual(row[0], 4, delta=1e-3)
        wind.set_pose((1, 2, 3), jump=True)
        self.assertEqual(wind.pose().position, (1.0, 2.0, 3.0))
        with self.assertRaisesRegex(ValueError, "'breeze'; forces are wind, turbulence, "):
            self.scene.add_force("b", "breeze")

    def test_fields_may_be_functions_of_python(self):
        def field(seconds, positions, velocities, forces):
            seen.append((seconds, len(positions), len(velocities)))
            for x, force in zip(positions, forces):
                force[0] = 2 * x[1] + 1

        seen = []
        self.scene["gravity"] = 0, 0, 0
        before = rows_of(self.sheet.array("position"))
        self.scene.add_force("mine", "custom", field=field)
        self.scene.step(0.5)
        self.assertEqual(seen, [(0.0, 4, 4)])
        self.assertEqual([row[0] for row in rows_of(self.sheet.array("velocity"))],
                         [0.5 * (2 * x[1] + 1) for x in before])

    def test_a_field_that_raises_stops_the_step(self):
        def field(*_):
            raise KeyError("lost")

        mine = self.scene.add_force("mine", "custom", field=field)
        before = self.scene.hash()
        with self.assertRaisesRegex(KeyError, "lost"):
            self.scene.step(0.01)
        self.assertEqual(self.scene.hash(), before)
        mine.destroy()
        self.scene.step(0.01)
        with self.assertRaisesRegex(TypeError, "callable, not int"):
            self.scene.add_force("b", "custom", field=5)

    def test_compiled_functions_go_by_signature(self):
        def push(_x, force):
            force[2] = 3.0

        compiled = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double))(push)
        self.scene["gravity"] = 0, 0, 0
        self.scene.add_force("mine", "custom", function=compiled,
                             signature="void (double x, double *force)")
        self.scene.step(0.5)
        self.assertEqual([row[2] for row in rows_of(self.sheet.array("velocity"))], [1.5] * 4)
        self.assert_error("invalid argument", "twice", lambda: self.scene.add_force(
            "b", "custom", function=compiled, signature="void (double x, double x)"))
        self.assert_error("invalid argument", "needs a field", self.scene.add_force, "b", "custom")

    def test_poses_come_from_quaternions_and_matrices(self):
        self.floor.set_pose((1, 2, 3), (0, 0, 0, 1), jump=True)
        self.assertEqual(self.floor.pose(), ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0, 1.0)))
        quarter = [[0, -1, 0, 4], [1, 0, 0, 5], [0, 0, 1, 6], [0, 0, 0, 1]]  # x to y
        by_column = [quarter[i][j] for j in range(4) for i in range(4)]
        for matrix in (quarter, by_column, numpy.array(quarter) if numpy else quarter):
            self.floor.set_pose((0, 0, 0), jump=True)
            self.floor.set_matrix(matrix, jump=True)
            position, (w, x, y, z) = self.floor.pose()
            self.assertEqual(position, (4.0, 5.0, 6.0))
            for got, expected in ((w, 0.5 ** 0.5), (x, 0), (y, 0), (z, 0.5 ** 0.5)):
                self.assertAlmostEqual(got, expected, delta=2**-22)  # the matrix has floats
        self.assert_error("invalid argument", "matrix", self.floor.set_matrix, [2] * 16)
        self.assert_error("wrong kind", "sheet", self.sheet.set_pose, (0, 0, 0))


class Mistakes(WithScene):
    """What ctypes would take in silence: fill up with zeros, cut off or wrap around."""

    def assert_raises(self, kind, text, function, *arguments, **named):
        with self.assertRaisesRegex(kind, text):
            function(*arguments, **named)

    def test_poses_and_sizes_need_the_right_number_of_numbers(self):
        add = self.scene.add_collider
        for wrong in ([], (1, 2), (1, 2, 3, 4), 1):
            text = "position has [0124] numbers, expected 3"
            self.assert_raises(ValueError, text, self.floor.set_pose, wrong)
            self.assert_raises(ValueError, text, add, "b", "plane", position=wrong)
        self.assert_raises(ValueError, "rotation has 3 numbers, expected 4", self.floor.set_pose,
                           (0, 0, 0), (1, 0, 0))
        self.assert_raises(ValueError, "size has 4 numbers", add, "b", "sphere", (1, 2, 3, 4))
        self.assert_raises(ValueError, "row of the matrix has 3", self.floor.set_matrix,
                           [(1, 0, 0)] * 4)
        self.assert_raises(ValueError, "matrix has 15 numbers, expected 16", self.floor.set_matrix,
                           [0] * 15)
        self.assertEqual(self.scene.objects(), [self.sheet, self.floor])

    def test_bytes_and_texts_are_no_numbers(self):
        for wrong in (b"\1\2\3", bytearray(12), "123"):
            text = "numbers are needed, not " + type(wrong).__name__
            for call in (lambda: self.sheet.set_array("position", wrong),
                         lambda: self.sheet.set_array_at("pin", wrong, 1),
                         lambda: self.scene.add_cloth("c", wrong),
                         lambda: self.floor.set_pose(wrong),
                         lambda: self.scene.__setitem__("gravity", wrong)):
                self.assert_raises(TypeError, text, call)

    def test_threads_are_not_wrapped_around(self):
        for wrong in (-1, 2**32, 2**32 + 1):
            self.assert_raises(ValueError, "threads is %d" % wrong, stiction.Scene, self.lib,
                               threads=wrong)
            self.assert_raises(ValueError, "threads is %d" % wrong, stiction.Shot, self.lib,
                               "none.json", threads=wrong)
        self.assert_raises(TypeError, "float", stiction.Scene, self.lib, threads=1.5)

    def test_names_are_texts_without_zero_bytes(self):
        for wrong in (5, b"floor", ["floor"]):
            text = "a name must be a str, not " + type(wrong).__name__
            for call in (self.scene.find, self.scene.__getitem__, self.sheet.array,
                         lambda name: self.scene.add_cloth(name, POSITIONS),
                         lambda name: self.scene.add_collider(name, "plane")):
                self.assert_raises(TypeError, text, call, wrong)
        self.assert_raises(ValueError, "zero byte", self.scene.find, "floor\0x")
        self.assert_raises(ValueError, "zero byte", stiction.Shot, self.lib, "a\0b")
        self.assert_raises(TypeError, "int", stiction.Shot, self.lib, 5)

    def test_callbacks_must_be_callable(self):
        for wrong in (5, 0, "print"):
            for name in ("log", "progress"):
                self.assert_raises(TypeError, "%s must be callable, not " % name, stiction.Scene,
                                   self.lib, **{name: wrong})


class Time(WithScene):
    def test_time_goes_by(self):
        self.assertEqual(self.scene.time, (1.0, 0.0, 0))
        self.assertEqual(self.scene.advance_to_frame(3), self.lib.STN_OK)
        self.assertEqual(self.scene.time.frame, 3.0)
        self.assertEqual(self.scene.statistics.steps, self.scene.time.steps)
        self.assertEqual(self.scene.statistics.nodes, 4)
        self.assert_error("invalid argument", "frame", self.scene.advance_to_frame, 2)
        self.assert_error("invalid argument", "step", self.scene.step, 0)

    def test_states_are_bytes(self):
        state, before = self.scene.save_state(), self.scene.hash()
        self.assertIsInstance(state, bytes)
        self.scene.step(0.01)
        self.assertNotEqual(self.scene.hash(), before)
        for kind in (bytes, bytearray, memoryview):
            self.scene.load_state(kind(state))
            self.assertEqual(self.scene.hash(), before)
        self.assert_error("state mismatch", "", self.scene.load_state, state[:-1])


class Callbacks(WithScene):
    def make(self, **callbacks):
        scene = stiction.Scene(self.lib, threads=1, **callbacks)
        self.addCleanup(scene.close)
        scene.add_cloth("sheet", POSITIONS, TRIANGLES)
        return scene

    def test_progress_runs_from_start_to_end_on_the_calling_thread(self):
        calls = []
        scene = self.make(progress=lambda f, stage: calls.append((f, stage, threading.get_ident())))
        gc.collect()  # the callback must have been kept
        self.assertEqual(scene.advance_to_frame(2), 0)
        fractions = [f for f, _, _ in calls]
        self.assertEqual(fractions, sorted(fractions))
        self.assertTrue(all(0 <= f <= 1 for f in fractions))
        self.assertTrue(all(isinstance(stage, str) and stage for _, stage, _ in calls))
        self.assertEqual({thread for _, _, thread in calls}, {threading.get_ident()})

    def test_progress_cancels_by_returning_something_true(self):
        scene = self.make(progress=lambda fraction, _: fraction > 0.5)
        self.assertEqual(scene.advance_to_frame(2), self.lib.STN_CANCELLED)
        self.assertTrue(1.0 < scene.time.frame < 2.0)

    def test_what_progress_raises_cancels_and_comes_out(self):
        class Stop(Exception):
            pass

        def progress(fraction, _):
            if not stopped and fraction > 0.5:
                stopped.append(fraction)
                raise Stop("here")

        stopped = []
        scene = self.make(progress=progress)
        with self.assertRaisesRegex(Stop, "here"):
            scene.advance_to_frame(2)
        self.assertTrue(1.0 < scene.time.frame < 2.0)
        self.assertEqual(scene.advance_to_frame(2), 0)
        uninterrupted = self.make()
        uninterrupted.advance_to_frame(2)
        self.assertEqual(scene.hash(), uninterrupted.hash())

    def test_log_gets_lines(self):
        lines = []
        scene = self.make(log=lambda level, text: lines.append((level, text)))
        scene.add_collider("high", "plane", position=(0, 0, 0.75))  # the sheet starts inside
        scene.step(0.01)
        self.assertTrue(lines)
        self.assertEqual(lines[0][0], self.lib.STN_LOG_WARNING)
        self.assertIn("sheet", lines[0][1])

    def test_what_log_raises_comes_out(self):
        def log(_level, text):
            raise KeyError(text)

        scene = self.make(log=log)
        scene.add_collider("high", "plane", position=(0, 0, 0.75))
        with self.assertRaises(KeyError):
            scene.step(0.01)
        self.assertEqual(scene.time.steps, 1)

    def test_calls_from_inside_a_callback_are_busy(self):
        caught = []

        def progress(_fraction, _stage):
            for call in (scene.hash, scene.close, lambda: scene.step(0.01)):
                try:
                    call()
                except stiction.Error as error:
                    caught.append((error.status, error.text))

        scene = self.make(progress=progress)
        scene.step(0.01)
        self.assertEqual({status for status, _ in caught}, {self.lib.STN_ERROR_BUSY})
        self.assertIn("another call", caught[0][1])
        self.assertEqual(scene.time.steps, 1)

    def test_another_thread_cancels(self):
        inside, cancelled = threading.Event(), threading.Event()

        def progress(_fraction, _stage):
            inside.set()
            cancelled.wait(60)

        scene = self.make(progress=progress)
        results = []
        worker = threading.Thread(target=lambda: results.append(scene.advance_to_frame(3)))
        worker.start()
        inside.wait(60)
        self.assert_error("busy", "another call", scene.hash)
        scene.cancel()
        cancelled.set()
        worker.join()
        self.assertEqual(results, [self.lib.STN_CANCELLED])
        self.assertEqual(scene.time.steps, 0)


class Lifetimes(WithScene):
    def test_a_closed_scene_is_an_error_not_a_crash(self):
        with stiction.Scene(self.lib) as scene:
            sheet = scene.add_cloth("sheet", POSITIONS, TRIANGLES)
        for call in (scene.hash, sheet.destroy, scene.cancel, lambda: sheet.array("position"),
                     lambda: scene["gravity"], lambda: scene.step(0.1)):
            self.assert_error("invalid argument", "the scene is closed", call)
        scene.close()

    def test_a_forgotten_scene_is_given_back(self):
        destroyed = []
        lib = stiction.load()
        destroy = lib.api.scene_destroy
        lib.api.scene_destroy = lambda handle: destroyed.append(handle) or destroy(handle)
        scene = stiction.Scene(lib, progress=lambda *_: None)
        handle = scene._handle
        del scene
        gc.collect()
        self.assertEqual(destroyed, [handle])

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "needs /proc")
    def test_scenes_that_come_and_go_leave_nothing_behind(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def cycle():
            with stiction.Scene(self.lib, threads=2, progress=lambda *_: None) as scene:
                sheet = scene.add_cloth("sheet", POSITIONS, TRIANGLES)
                scene.step(0.01)
                sheet.array("position")

        for _ in range(100):
            cycle()
        gc.collect()
        cycles, bytes_before, blocks_before = 1000, resident(), sys.getallocatedblocks()
        for _ in range(cycles):
            cycle()
        gc.collect()
        # Less than one Python object and one page a cycle: a leaked scene has several of both.
        self.assertLess(sys.getallocatedblocks() - blocks_before, cycles)
        self.assertLess(resident() - bytes_before, cycles * 4096)


class Shots(WithScene):
    FILE = """{"stiction": 1, "title": "A test", "frames": [1, 4], "substeps": 2, "objects": [
        {"name": "sheet", "kind": "cloth", "grid": {"size": [1, 1], "cells": [4, 4]},
         "position": [0, 0, 0.01]},
        {"name": "floor", "kind": "collider", "shape": "plane"}]}"""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "test.json")
        self.output = os.path.join(folder.name, "out")
        with open(self.path, "w") as file:
            file.write(self.FILE)

    def test_a_file_runs_to_its_end(self):
        with stiction.Shot(self.lib, self.path, self.output) as shot:
            self.assertEqual((shot.info.title, shot.info.last_frame), ("A test", 4.0))
            shot.begin()
            while shot.info.frame < shot.info.last_frame:
                self.assertEqual(shot.next_frame(), 0)
            self.assertEqual(shot.scene.time.frame, 4.0)
            self.assertEqual([o.name for o in shot.scene.objects()], ["sheet", "floor"])
            files = shot.files()
        self.assertTrue(files and all(os.path.getsize(path) for path in files))
        self.assertEqual(stiction.file_info(self.lib, self.path)["title"], "A test")

    def test_a_closed_shot_takes_its_scene_along(self):
        with stiction.Shot(self.lib, self.path, output=False) as shot:
            scene = shot.scene
            scene.hash()
        self.assert_error("invalid argument", "the scene is closed", scene.hash)
        self.assert_error("invalid argument", "the shot is closed", shot.begin)
        self.assert_error("invalid argument", "the shot is closed", lambda: shot.scene)

    def test_a_shot_goes_on_from_its_checkpoint(self):
        with stiction.Shot(self.lib, self.path, self.output) as shot:
            shot.begin()
            shot.next_frame()
            shot.checkpoint()
        with stiction.Shot(self.lib, self.path, self.output, resume=True) as shot:
            shot.begin()
            self.assertEqual(shot.info.frame, 2.0)

    def test_what_progress_raises_comes_out_of_the_frame(self):
        def progress(_fraction, _stage):
            raise InterruptedError("enough")

        with stiction.Shot(self.lib, self.path, output=False, progress=progress) as shot:
            shot.begin()
            with self.assertRaisesRegex(InterruptedError, "enough"):
                shot.next_frame()

    def test_files_that_cannot_be_read_say_why(self):
        missing = os.path.join(self.output, "missing.json")
        with self.assertRaises(stiction.Error) as caught:
            stiction.Shot(self.lib, missing)
        self.assertEqual(caught.exception.status, self.lib.STN_ERROR_IO)
        self.assertIn("missing.json", caught.exception.text)
        with open(self.path, "w") as file:
            file.write('{"stiction": 1,\n "framse": [1, 2]}')
        with self.assertRaises(stiction.Error) as caught:
            stiction.Shot(self.lib, self.path)
        self.assertEqual(caught.exception.status, self.lib.STN_ERROR_PARSE)
        self.assertIn("test.json:2", caught.exception.text)
        self.assertIn("frames", caught.exception.text)


class Rods(WithScene):
    """Extensions need no code of their own: what describe() has is there."""

    def setUp(self):
        super().setUp()
        self.rods = self.lib.extension("stiction.rods/1", "stn_ext_rods")
        self.handle = ctypes.c_void_p()

    def tearDown(self):
        self.rods.destroy(self.handle)
        super().tearDown()

    def step(self, count, dt):
        given = self.lib.make(self.lib.stn_rods_input, gravity=(0, 0, -9.81))
        for _ in range(count):
            self.assertEqual(self.rods.step(self.handle, given, dt), self.lib.STN_OK)

    def place(self, rod, s):
        out = (ctypes.c_double * 7)()
        self.assertEqual(self.rods.places(self.handle, rod, 1, ctypes.c_double(s), out),
                         self.lib.STN_OK)
        return list(out)

    def test_a_tree_bends_down_and_its_equal_branches_stay_side_by_side(self):
        material = self.lib.make(self.lib.stn_rod_material, density=0.01, bend=(1e-4, 1e-4),
                                 twist=1e-4, stretch=1e3, radius=1e-3, damping=0.01)
        half = 0.5 ** 0.5
        desc = self.lib.make(
            self.lib.stn_rod_trees_desc, trees=1, elements=3, threads=1, material_count=1,
            parents=(ctypes.c_int32 * 3)(-1, 0, 0), lengths=(ctypes.c_double * 3)(0.1, 0.1, 0.1),
            offsets=(ctypes.c_double * 12)(1, 0, 0, 0, half, 0, 0, half, half, 0, 0, -half),
            materials=ctypes.pointer(material))
        self.assertEqual(self.rods.tree_create(desc, ctypes.byref(self.handle)), self.lib.STN_OK)
        self.step(20, 1e-3)
        left, right = self.place(0, 0.2), self.place(0, 0.3)
        self.assertLess(left[2], 0)
        self.assertAlmostEqual(left[1], -right[1], delta=1e-12)
        self.assertAlmostEqual(left[2], right[2], delta=1e-12)
        desc.parents[1] = 1
        self.assertEqual(self.rods.tree_create(desc, ctypes.byref(ctypes.c_void_p())),
                         self.lib.STN_ERROR_INVALID_ARGUMENT)
        self.assertIn(b"element 1: its parent", self.rods.last_error())

    def test_a_ball_falls(self):
        ball = self.lib.make(self.lib.stn_rods_rigid_body, shape=self.lib.STN_SHAPE_SPHERE,
                             size=(0.1, 0, 0), mass=1)
        desc = self.lib.make(self.lib.stn_rods_rigid_desc, bodies=1, threads=1,
                             body=ctypes.pointer(ball))
        self.assertEqual(self.rods.rigid_create(desc, ctypes.byref(self.handle)), self.lib.STN_OK)
        self.step(10, 0.01)
        self.assertAlmostEqual(self.place(0, 0)[2], -9.81 * 1e-4 * 55, delta=1e-15)


if __name__ == "__main__":
    unittest.main()
