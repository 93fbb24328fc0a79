# SPDX-License-Identifier: Apache-2.0
"""describe() says what the headers say, and keeps what plugin_abi/abi_v1.txt has frozen."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from loaded import ROOT, stiction

import freeze_abi

HEADERS = [os.path.join(ROOT, "plugin_abi", "include", "stiction", name)
           for name in ("stiction.h", "ext_shot.h", "ext_contact.h", "ext_rods.h")]
FROZEN = os.path.join(ROOT, "plugin_abi", "abi_v1.txt")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \1;", re.DOTALL)
CONSTANT = re.compile(r"^#define (STN_\w+) \(?(-?\d+)u?\)?\s*$", re.MULTILINE)
CALLBACK = re.compile(r"typedef ([\w *]+?)\(\*(\w+)\)\((.*?)\);", re.DOTALL)
POINTER = re.compile(r"(.+?)\(\*(\w+)\)\((.*)\)")
MEMBER = re.compile(r"(.+?)(\w+)(\[\d+\])?")


def tight(text):
    """Without the spaces that do not matter, so that differently set types compare equal."""
    return re.sub(r" ?([*(),\[\]]) ?", r"\1", " ".join(text.split())).strip()


def argument_types(text):
    """"void *user, uint32_t n" without the names."""
    if text.strip() in ("", "void"):
        return "(void)"
    return "(%s)" % ",".join(tight(re.sub(r"\w+\s*$", "", a)) for a in text.split(","))


def struct_rows(name, body):
    is_table = name == "stn_api" or name.startswith("stn_ext_")
    for declaration in filter(None, (" ".join(d.split()) for d in body.split(";"))):
        pointer = POINTER.fullmatch(declaration)
        if pointer:
            result, member, arguments = pointer.groups()
            kind, star = ("entry", "") if is_table else ("field", "(*)")
            yield kind, name, member, tight(result + star) + argument_types(arguments)
        else:
            type_, member, count = MEMBER.fullmatch(declaration).groups()
            yield "field", name, member, tight(type_ + (count or ""))


def header_rows(text):
    """(kind, owner, name, type) of what a header declares, and its constants' values."""
    text = COMMENT.sub(" ", text)
    rows = [("callback", "", name, tight(result) + argument_types(arguments))
            for result, name, arguments in CALLBACK.findall(text)]
    for name, body in STRUCT.findall(text):
        rows.append(("struct", "", name, name))
        rows += struct_rows(name, body)
    return rows, {name: int(value) for name, value in CONSTANT.findall(text)}


class Header(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows, cls.constants = [], {}
        for path in HEADERS:
            with open(path, encoding="utf-8") as file:
                rows, constants = header_rows(file.read())
            cls.rows += rows
            cls.constants.update(constants)
        cls.described = stiction.load().rows

    def test_every_declaration_is_described_with_its_type_and_no_other(self):
        described = [(r.kind, r.owner, r.name, tight(r.type)) for r in self.described
                     if r.kind != "const"]
        self.assertEqual(sorted(self.rows), sorted(described))

    def test_members_and_entries_are_described_in_their_order(self):
        self.assertEqual([row[1:3] for row in self.rows if row[1]],
                         [(r.owner, r.name) for r in self.described if r.owner])

    def test_every_constant_is_described_with_its_value(self):
        self.assertEqual(self.constants, {r.name: r.offset for r in self.described
                                          if r.kind == "const"})


class Promise(unittest.TestCase):
    def test_the_library_keeps_the_frozen_rows(self):
        frozen = freeze_abi.read_frozen(FROZEN)
        self.assertGreater(len(frozen), 200)
        self.assertEqual(freeze_abi.problems(frozen, stiction.load().rows), [])

    def test_the_frozen_file_is_as_the_tool_writes_it(self):
        with open(FROZEN, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(freeze_abi.format_rows(freeze_abi.parse_rows(text)), text)

    def test_extensions_are_not_frozen(self):
        frozen = freeze_abi.read_frozen(FROZEN)
        self.assertFalse([row for row in frozen if "shot" in row.owner + row.name])


class Comparison(unittest.TestCase):
    """It would notice."""

    def setUp(self):
        self.old = freeze_abi.frozen_part(stiction.load().rows)
        self.new = list(self.old)

    def index(self, owner, name):
        return next(i for i, r in enumerate(self.new) if (r.owner, r.name) == (owner, name))

    def replace(self, owner, name, **members):
        i = self.index(owner, name)
        self.new[i] = self.new[i]._replace(**members)

    def assert_problem(self, *words):
        found = freeze_abi.problems(self.old, self.new)
        self.assertTrue(any(all(w in problem for w in words) for problem in found), found)

    def assert_fine(self):
        self.assertEqual(freeze_abi.problems(self.old, self.new), [])

    def test_equal_rows_are_fine(self):
        self.assert_fine()

    def test_every_row_is_missed(self):
        for i, row in enumerate(self.old):
            self.new = self.old[:i] + self.old[i + 1:]
            self.assert_problem(row.name, "vanished")

    def test_a_change_of_any_row_is_seen(self):
        for i, row in enumerate(self.old):
            for change in ({"type": row.type + " *"}, {"offset": row.offset + 8},
                           {"size": row.size - 1}, {"name": row.name + "_"}):
                self.new = list(self.old)
                self.new[i] = row._replace(**change)
                self.assert_problem(row.name)

    def test_rows_that_change_places_are_seen(self):
        for i in range(len(self.old) - 1):
            self.new = list(self.old)
            self.new[i:i + 2] = self.new[i + 1], self.new[i]
            self.assert_problem("moved")

    def test_a_new_constant_entry_or_struct_is_fine(self):
        size = self.old[self.index("", "stn_api")].size
        self.new.insert(0, stiction.Row("const", "", "STN_NEW", "int64_t", 7, 0))
        self.new.append(stiction.Row("entry", "stn_api", "new", "void (void)", size, 8))
        self.replace("", "stn_api", size=size + 8)
        self.new.append(stiction.Row("struct", "", "stn_new", "stn_new", 0, 8))
        self.assert_fine()

    def test_a_struct_may_grow_by_a_member_at_its_end(self):
        size = self.old[self.index("", "stn_view")].size
        self.replace("", "stn_view", size=size + 8)
        self.new.insert(self.index("stn_view", "stride") + 1,
                        stiction.Row("field", "stn_view", "new", "double", size, 8))
        self.assert_fine()

    def test_a_member_in_the_middle_is_seen(self):
        self.new.append(stiction.Row("field", "stn_view", "new", "uint32_t", 4, 4))
        self.assert_problem("stn_view.new", "behind")

    def test_a_struct_without_a_size_of_its_own_may_not_grow(self):
        size = self.old[self.index("", "stn_row")].size
        self.replace("", "stn_row", size=size + 8)
        self.assert_problem("stn_row")

    def test_a_row_that_comes_twice_is_seen(self):
        self.new.append(self.new[0])
        self.assert_problem("twice")


class Tool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "abi.txt")

    def freeze(self, *options):
        done = subprocess.run([sys.executable, freeze_abi.__file__, *options, self.path],
                              stdout=subprocess.PIPE, universal_newlines=True)
        return done.returncode, done.stdout

    def read(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def write(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_fresh_file_is_written_and_then_up_to_date(self):
        self.assertEqual(self.freeze("--check")[0], 1)
        self.assertFalse(os.path.exists(self.path))
        self.assertEqual(self.freeze()[0], 0)
        self.assertEqual(self.freeze("--check")[0], 0)

    def test_rows_are_added(self):
        self.freeze()
        whole = self.read()
        self.write("".join(line for line in whole.splitlines(True) if "STN_ERROR_BUSY" not in line))
        self.assertEqual(self.freeze()[0], 0)
        self.assertEqual(self.read(), whole)

    def test_a_broken_promise_is_refused_and_the_file_stays(self):
        self.freeze()
        promised = self.read() + "const |  | STN_PROMISED | int64_t | 9 | 0\n"
        self.write(promised)
        status, said = self.freeze()
        self.assertEqual(status, 1)
        self.assertIn("STN_PROMISED has vanished", said)
        self.assertEqual(self.read(), promised)


if __name__ == "__main__":
    unittest.main()
