# SPDX-License-Identifier: Apache-2.0
"""Numbers between Python and the library: handed over as they lie, copied, or refused."""

import array
import ctypes
import unittest

from loaded import POSITIONS, TRIANGLES, WithScene, needs_numpy, numpy, rows_of, stiction

FLAT = [x for row in POSITIONS for x in row]


class Numbers(WithScene):
    def assert_positions(self, expected=None):
        expected = POSITIONS if expected is None else expected
        self.assertEqual(rows_of(self.sheet.array("position")), [list(row) for row in expected])

    def clear(self):
        self.sheet.set_array("position", [(9, 9, 9)] * 4)

    def test_sequences_and_buffers_of_every_kind_go_in(self):
        doubles, floats = array.array("d", FLAT), array.array("f", FLAT)
        shaped = memoryview(bytearray(doubles.tobytes())).cast("d", [4, 3])
        sources = [POSITIONS, FLAT, tuple(FLAT), [list(row) for row in POSITIONS], doubles, floats,
                   memoryview(doubles), shaped, memoryview(doubles.tobytes()).cast("d"),
                   (ctypes.c_double * 12)(*FLAT), (ctypes.c_float * 12)(*FLAT)]
        for source in sources:
            self.clear()
            self.sheet.set_array("position", source)
            self.assert_positions()

    def test_integers_become_reals(self):
        flat = [1, 2, 3] * 4
        for source in ([(1, 2, 3)] * 4, array.array("i", flat), array.array("q", flat)):
            self.clear()
            self.sheet.set_array("position", source)
            self.assert_positions([(1, 2, 3)] * 4)

    def test_strided_memoryviews_are_not_copied(self):
        masses = array.array("d", [1, -9, 2, -9, 3, -9, 4, -9])
        view = memoryview(masses)[::2]
        self.assertIs(self.uncopied(view, 1), True)
        self.sheet.set_array("mass", view)
        self.assertEqual(rows_of(self.sheet.array("mass")), [1, 2, 3, 4])
        self.sheet.set_array("mass", memoryview(masses)[6::-2])
        self.assertEqual(rows_of(self.sheet.array("mass")), [4, 3, 2, 1])

    def uncopied(self, values, components, **named):
        """Does the view point into the values themselves?"""
        buffer = stiction._PyBuffer()
        stiction._get_buffer(values, buffer, stiction._READ)
        here = buffer.buf
        stiction._release_buffer(buffer)
        with stiction._view(self.lib, values, components, **named) as view:
            return view.contents.data == here

    @needs_numpy
    def test_numpy_arrays_are_views(self):
        table = numpy.zeros((4, 8), "f4")
        table[:, 2:5] = POSITIONS
        for view in (numpy.array(POSITIONS), numpy.array(POSITIONS, "f4"), table[:, 2:5],
                     numpy.array(FLAT), numpy.array(POSITIONS)[::-1]):
            self.assertTrue(self.uncopied(view, 3))
        for kind in ("i4", "u4"):
            self.assertTrue(self.uncopied(numpy.array(TRIANGLES, kind), 3, reals=False))
        self.clear()
        self.sheet.set_array("position", table[:, 2:5])
        self.assert_positions()
        self.sheet.set_array("position", numpy.array(POSITIONS)[::-1])
        self.assert_positions(POSITIONS[::-1])

    @needs_numpy
    def test_other_numpy_arrays_are_copied(self):
        columns = numpy.asfortranarray(numpy.array(POSITIONS))
        for source in (columns, numpy.array(POSITIONS, "f2"), numpy.array(POSITIONS, ">f8"),
                       numpy.array(POSITIONS, "O"), numpy.array(POSITIONS, "g")):
            self.clear()
            self.sheet.set_array("position", source)
            self.assert_positions()
        self.sheet.set_array("position", numpy.broadcast_to(numpy.array([1.0, 2.0, 3.0]), (4, 3)))
        self.assert_positions([(1, 2, 3)] * 4)
        self.sheet.set_array("pin", numpy.array([True, False, False, True]))
        self.assertEqual(rows_of(self.sheet.array("pin")), [1, 0, 0, 1])

    @needs_numpy
    def test_wide_numpy_indices_are_narrowed_but_never_wrapped(self):
        self.scene.add_cloth("a", numpy.array(POSITIONS), numpy.array(TRIANGLES, "i8"))
        self.scene.add_cloth("b", numpy.array(POSITIONS), numpy.array(TRIANGLES, "u2"))
        for far in (2**32, -2**31 - 1):
            with self.assertRaises(OverflowError):
                self.scene.add_cloth("c", POSITIONS, numpy.array([(0, 1, far)]))
        self.assert_error("invalid argument", "4294967295", self.scene.add_cloth, "c", POSITIONS,
                          numpy.array([(0, 1, 2**32 - 1)]))

    def test_indices_out_of_range_reach_the_library_as_they_are(self):
        self.assert_error("invalid argument", "-1", self.scene.add_cloth, "c", POSITIONS,
                          [(0, 1, -1)])
        self.assert_error("invalid argument", "4294967295", self.scene.add_cloth, "c", POSITIONS,
                          [(0, 1, 2**32 - 1)])
        with self.assertRaises(OverflowError):
            self.scene.add_cloth("c", POSITIONS, [(0, 1, 2**32)])

    def test_shapes_that_do_not_fit_are_errors(self):
        for wrong in (POSITIONS[:3], FLAT[:11], [(1, 2)] * 4):
            self.assert_error("invalid argument", "position",
                              self.sheet.set_array, "position", wrong)
        masses = [1, 1, float("nan"), 1]
        self.assert_error("invalid argument", "nan", self.sheet.set_array, "mass", masses)
        with self.assertRaises(ValueError):
            self.sheet.set_array("position", [(1, 2, 3), (1, 2)])
        with self.assertRaises((TypeError, ValueError)):
            self.sheet.set_array("position", "four rows of 3")

    def test_arrays_come_out_new_or_into_a_buffer(self):
        out = self.sheet.array("position")
        self.assertEqual(tuple(out.shape), (4, 3))
        self.assertIsInstance(out, numpy.ndarray if numpy else memoryview)
        self.assertEqual(rows_of(self.sheet.array("triangle")), [list(t) for t in TRIANGLES])
        self.assertEqual(rows_of(self.sheet.array("contact_state")), [0, 0, 0, 0])
        room = array.array("f", [0] * 12)
        self.assertIs(self.sheet.array("position", out=room), room)
        self.assertEqual(list(room), FLAT)
        for wrong in (b"123456789012", array.array("q", [0] * 12), [0.0] * 12):
            with self.assertRaises((TypeError, BufferError)):
                self.sheet.array("position", out=wrong)

    def test_elements_are_written_by_index(self):
        self.sheet.set_array_at("pin", [0, 3], 1)
        self.assertEqual(rows_of(self.sheet.array("pin")), [1, 0, 0, 1])
        self.sheet.set_array_at("target", [3], (7, 8, 9))
        self.sheet.set_array_at("target", range(2), [(1, 2, 3), (4, 5, 6)])
        target = rows_of(self.sheet.array("target"))
        self.assertEqual([target[i] for i in (0, 1, 3)], [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
        self.assert_error("invalid argument", "4", self.sheet.set_array_at, "pin", [4], 1)
        self.assert_error("unknown name", "'pin'", self.sheet.set_array_at, "pni", [0], 1)


if __name__ == "__main__":
    unittest.main()
