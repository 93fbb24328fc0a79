#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the caches of a run with small readers written from the layouts in docs/formats.md.

The same frames are in every file, so all readers must find the numbers of the PC2 file.
"""

import ctypes
import ctypes.util
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

SCENE = {
    "stiction": 1, "frames": [1, 4],
    "output": {"formats": ["pc2", "mdd", "stn", "usda", "mc", "mcx"]},
    "objects": [
        {"name": "sheet", "kind": "cloth", "grid": {"size": [1, 1], "cells": [3, 2]},
         "position": [0, 0, 0.02]},
        {"name": "ball", "kind": "collider", "shape": "sphere", "radius": 0.5,
         "position": [0, 0, -0.5]},
        {"name": "fur", "kind": "hair",
         "grow": {"on": "ball", "count": 3, "points": 4, "length": 0.1}},
    ],
}
FRAMES = 4


def floats(data, order, count, at=0):
    return list(struct.unpack_from(f"{order}{count}f", data, at))


def read_pc2(path):
    data = path.read_bytes()
    magic, version, points, first, rate, samples = struct.unpack_from("<12siiffi", data)
    assert magic == b"POINTCACHE2\0" and version == 1 and rate == 1.0 and first == 1.0
    return [floats(data, "<", 3 * points, 32 + 12 * points * k) for k in range(samples)]


def read_mdd(path):
    data = path.read_bytes()
    frames, points = struct.unpack_from(">ii", data)
    times = floats(data, ">", frames, 8)
    assert times == [struct.unpack("f", struct.pack("f", k / 24))[0] for k in range(1, 5)]
    start = 8 + 4 * frames
    assert len(data) == start + 12 * points * frames
    return [floats(data, ">", 3 * points, start + 12 * points * k) for k in range(frames)]


def read_iff(data, at, end, wide):
    """A list of (tag, bytes, or a list for a group)."""
    result = []
    while at < end:
        tag = data[at:at + 4]
        if wide:
            zero, size = struct.unpack_from(">IQ", data, at + 4)
            assert zero == 0
            body, unit = at + 16, 8
        else:
            size, = struct.unpack_from(">I", data, at + 4)
            body, unit = at + 8, 4
        if tag in (b"FOR4", b"FOR8"):
            name = data[body:body + 4]
            result.append((name, read_iff(data, body + 4, body + size, wide)))
            at = body + size
        else:
            filled = (size + unit - 1) // unit * unit
            assert not any(data[body + size:body + filled])
            result.append((tag, data[body:body + size]))
            at = body + filled
    assert at == end
    return result


def read_maya(path, suffix):
    text = path.read_text()
    assert text.endswith("</Autodesk_Cache_File>\n")
    names = re.findall(r'ChannelName="(\w+)"', text)
    frames = {name: [] for name in names}
    for k in range(1, FRAMES + 1):
        data = path.with_name(f"{path.stem}Frame{k}.{suffix}").read_bytes()
        (_, head), (_, channels) = read_iff(data, 0, len(data), suffix == "mcx")
        assert head == [(b"VRSN", b"0.1\0"), (b"STIM", struct.pack(">i", 250 * k)),
                        (b"ETIM", struct.pack(">i", 250 * k))]
        for i, name in enumerate(names):
            chunks = channels[3 * i:3 * i + 3]
            assert [tag for tag, _ in chunks] == [b"CHNM", b"SIZE", b"FVCA"]
            assert chunks[0][1] == name.encode() + b"\0"
            points, = struct.unpack(">i", chunks[1][1])
            frames[name].append([x / 100 for x in floats(chunks[2][1], ">", 3 * points)])
    return [frames[name] for name in names]


def read_usd(path):
    text = path.read_text()
    assert text.startswith("#usda 1.0\n")
    samples = {}
    for attribute in ("points", "velocities", "extent"):
        body = re.search(attribute + r"\.timeSamples = \{(.*?)\n    \}", text, re.S)[1]
        lines = [line.split(":") for line in body.strip().splitlines()]
        assert [float(time) for time, _ in lines] == [1, 2, 3, 4]
        samples[attribute] = [[float(x) for x in re.findall(r"[-+.\de]+", line)]
                              for _, line in lines]
    ints = {name: [int(x) for x in re.findall(r"\d+", body)]
            for name, body in re.findall(r"int\[\] (\w+) = \[(.*?)\]", text)}
    return samples, ints, text


def xxh64(data):
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    p4, p5, m = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5, (1 << 64) - 1

    def rotate(x, r):
        return (x << r | x >> (64 - r)) & m

    def turn(acc, lane):
        return rotate((acc + lane * p2) & m, 31) * p1 & m

    at, size = 0, len(data)
    if size >= 32:
        v = [(p1 + p2) & m, p2, 0, -p1 & m]
        while at + 32 <= size:
            v = [turn(a, x) for a, x in zip(v, struct.unpack_from("<4Q", data, at))]
            at += 32
        h = sum(rotate(a, r) for a, r in zip(v, (1, 7, 12, 18))) & m
        for a in v:
            h = ((h ^ turn(0, a)) * p1 + p4) & m
    else:
        h = p5
    h = (h + size) & m
    while at + 8 <= size:
        h = (rotate(h ^ turn(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & m
        at += 8
    if at + 4 <= size:
        h = (rotate(h ^ struct.unpack_from("<I", data, at)[0] * p1 & m, 23) * p2 + p3) & m
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * p5 & m, 11) * p1 & m
    h = (h ^ h >> 33) * p2 & m
    h = (h ^ h >> 29) * p3 & m
    return h ^ h >> 32


def unzstd(data, size):
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(size)
    found = library.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
    assert found == size
    return out.raw


def read_chunks(data):
    at, chunks = 16, []
    while at < len(data) - 24:
        tag, encoding, number, stored, plain, total, head = struct.unpack_from("<4sIQQQQQ", data, at)
        filled = (stored + 7) // 8 * 8
        body = data[at + 48:at + 48 + filled]
        assert head == xxh64(data[at:at + 40]) and total == xxh64(body)
        chunks.append((tag, number, at, unzstd(body[:stored], plain) if encoding else body[:stored]))
        at += 48 + filled
    return chunks, at


def join_planes(data, count):
    planes = [data[i * count:(i + 1) * count] for i in range(4)]
    return floats(bytes(b for four in zip(*planes) for b in four), "<", count)


def read_stn(path):
    data = path.read_bytes()
    assert data[:16] == b"\x89STN\r\n\x1a\n" + struct.pack("<II", 1, 0)
    chunks, end = read_chunks(data)
    index, frames, magic = struct.unpack_from("<QQ8s", data, end)
    head, *middle, last = chunks
    assert magic == b"STNINDEX" and frames == len(middle) and last[2] == index
    assert list(struct.unpack(f"<{frames}Q", last[3])) == [chunk[2] for chunk in middle]
    kind, parts, points, triangles, strands, first, rate, name, zero = struct.unpack_from(
        "<IIQQQddII", head[3])
    assert head[3].endswith(("sheet" if kind == 2 else "fur").encode()) and zero == 0
    assert (first, rate) == (1.0, 24.0) and strands == (3 if kind == 4 else 0)
    result = []
    for k, (tag, number, _, plain) in enumerate(middle):
        assert tag == b"FRAM" and number == k
        size, = struct.unpack_from("<Q", plain)
        x = join_planes(plain[8:], 3 * points)
        v = join_planes(plain[8 + 12 * points:], 3 * points)
        states = list(plain[8 + 24 * points:8 + 25 * points]) if parts & 2 else None
        result.append((x, v, states, json.loads(plain[len(plain) - size:])))
    return result


class Caches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        (folder / "s.json").write_text(json.dumps(SCENE))
        subprocess.run([os.environ["STICTION"], "run", "s.json", "--quiet", "--no-picture"],
                       cwd=folder, check=True)
        cls.out = folder / "out/s"
        cls.positions = {name: read_pc2(cls.out / f"{name}.pc2") for name in ("sheet", "fur")}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def each(self):
        for name, positions in self.positions.items():
            with self.subTest(name):
                self.assertEqual(len(positions), FRAMES)
                yield name, positions

    def test_mdd_has_the_same_numbers(self):
        for name, positions in self.each():
            self.assertEqual(read_mdd(self.out / f"{name}.mdd"), positions)

    def test_the_native_file_has_the_same_numbers_and_more(self):
        lines = (self.out / "frames.jsonl").read_text().splitlines()
        for name, positions in self.each():
            frames = read_stn(self.out / f"{name}.stn")
            self.assertEqual([f[0] for f in frames], positions)
            for (_, _, states, statistics), line in zip(frames, lines):
                expected = json.loads(line)
                self.assertEqual(statistics, {k: v for k, v in expected.items()
                                              if not k.startswith("seconds_")})
                if states is not None:
                    self.assertLessEqual(max(states), 3)

    def test_usd_has_the_same_numbers(self):
        for name, positions in self.each():
            samples, ints, text = read_usd(self.out / f"{name}.usda")
            as_floats = [list(struct.unpack(f"{len(f)}f", struct.pack(f"{len(f)}f", *f)))
                         for f in samples["points"]]
            self.assertEqual(as_floats, positions)
            self.assertIn("metersPerUnit = 1\n", text)
            self.assertIn("timeCodesPerSecond = 24\n", text)
            if name == "fur":
                self.assertEqual(ints["curveVertexCounts"], [4, 4, 4])
            else:
                self.assertEqual(ints["faceVertexCounts"], [3] * 12)
                self.assertEqual(max(ints["faceVertexIndices"]), 11)
            for extent, frame in zip(samples["extent"], samples["points"]):
                self.assertEqual(extent, [f(frame[k::3]) for f in (min, max) for k in range(3)])

    def test_maya_has_the_same_numbers_in_centimetres(self):
        velocities = {name: [f[1] for f in read_stn(self.out / f"{name}.stn")]
                      for name in self.positions}
        for name, positions in self.each():
            for xml, suffix in ((f"{name}.xml", "mc"), (f"{name}_mcx.xml", "mcx")):
                found = read_maya(self.out / xml, suffix)
                for channel, expected in zip(found, (positions, velocities[name])):
                    for a, b in zip(channel, expected):
                        for x, y in zip(a, b):  # one rounding to float
                            self.assertLessEqual(abs(x - y), abs(y) * 2**-23)

    def test_verify_finds_all_of_them_whole_and_a_cut_one_not(self):
        files = [p for p in self.out.iterdir() if p.suffix in (".pc2", ".mdd", ".stn", ".usda",
                                                               ".xml")]
        self.assertEqual(len(files), 12)
        command = [os.environ["STICTION"], "verify", *map(str, files)]
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        cut = self.out / "cut.stn"
        cut.write_bytes((self.out / "sheet.stn").read_bytes()[:-30])
        answer = subprocess.run([os.environ["STICTION"], "verify", str(cut)], capture_output=True,
                                text=True)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("torn end", answer.stdout)


if __name__ == "__main__":
    unittest.main()
