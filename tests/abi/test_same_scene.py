# SPDX-License-Identifier: Apache-2.0
"""The watched scene of drape.c, built number by number in Python, has the bits that it has in C.

$STICTION_SAME_SCENE is the program that runs it in C and prints the hash.
"""

import array
import os
import subprocess
import unittest

from loaded import PLAIN, numpy, stiction

FRAMES, SIDE, WIDTH, LENGTH, GRAINS = 24, 33, 5, 25, 64


def grid_triangles(width, length):
    triangles = []
    for j in range(length - 1):
        for i in range(width - 1):
            a, b = j * width + i, (j + 1) * width + i
            triangles += [(a, a + 1, b + 1), (a, b + 1, b)]
    return triangles


def sheet():
    nodes = [(n % SIDE, n // SIDE) for n in range(SIDE * SIDE)]
    positions = [(i / 32 - 0.5, j / 32 - 0.5, 0.7 + 0.01 * (i * j % 5)) for i, j in nodes]
    velocities = [(0.1 * (i % 7) - 0.3, 0.05 * (j % 5), -0.5) for i, j in nodes]
    return positions, velocities


def ribbon():
    """Floats in rows of four, of which three count; numpy and memoryview cut them differently."""
    rows = [(n % WIDTH * 0.0625 + 0.75, n // WIDTH * 0.0625 - 0.75, 0.25, 0.0)
            for n in range(WIDTH * LENGTH)]
    if numpy:
        return numpy.array(rows, "f4")[:, :3]
    return array.array("f", [x for row in rows for x in row[:3]])


def turned(position, t, axis):
    rotation = [(1 - t * t) / (1 + t * t), 0.0, 0.0, 0.0]
    rotation[1 + axis] = 2 * t / (1 + t * t)
    return position, rotation


def floor_pose(frame):
    return turned((0.0, 0.0, 0.002 * frame), 0.001 * frame, 0)


def ball_pose(frame):
    return turned((0.01 * frame, 0.0, 0.375), 0.02 * frame, 1)


def add_objects(scene):
    positions, velocities = sheet()
    cloth = scene.add_cloth("sheet", positions, grid_triangles(SIDE, SIDE), velocities)
    cloth["friction"] = 0.3
    held = scene.add_cloth("ribbon", ribbon(), grid_triangles(WIDTH, LENGTH))
    held.set_array_at("pin", range(WIDTH), 1)
    places = [(0.3 * (n % 8) - 1.0, 0.3 * (n // 8) - 1.0, 1.0 + n / 64) for n in range(GRAINS)]
    grains = scene.add_cloth("grains", places, masses=[0.001 * (1 + n) for n in range(GRAINS)])
    grains["thickness"] = 0.004
    floor = scene.add_collider("floor", "plane", (), *floor_pose(0))
    ball = scene.add_collider("ball", "sphere", 0.25, *ball_pose(0))
    floor["friction"], ball["friction"] = 0.6, 0.9
    return held, floor, ball


def run(lib):
    with stiction.Scene(lib, start_frame=0.0) as scene:
        held, floor, ball = add_objects(scene)
        for frame in range(1, FRAMES + 1):
            floor.set_pose(*floor_pose(frame))
            ball.set_pose(*ball_pose(frame))
            targets = [(i * 0.0625 + 0.75, -0.75 - 0.01 * frame, 0.25 + 0.02 * frame)
                       for i in range(WIDTH)]
            held.set_array_at("target", range(WIDTH), targets)
            scene.advance_to_frame(frame)
        return scene.hash()


class SameScene(unittest.TestCase):
    def test_python_and_c_give_the_same_bits(self):
        in_c = subprocess.run([os.environ["STICTION_SAME_SCENE"]], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()
        self.assertEqual("%016x" % run(stiction.load()), in_c)

    def test_numpy_is_there_if_it_should_be(self):
        if PLAIN:
            self.assertIsNone(numpy)
        elif numpy is None:
            self.skipTest("numpy is not installed")


if __name__ == "__main__":
    unittest.main()
