#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Freezes the ABI: writes the library's own description into plugin_abi/abi_v1.txt.

    freeze_abi.py [--check] [FILE]      FILE: by default abi_v1.txt beside this script
                                        --check: compare only

The library is found as stiction.py finds it ($STICTION_LIBRARY, ...). What is in the file already
is a promise: no row of it may change, vanish or move. New rows may come, members of structs only
behind those that are there, and a struct's size may grow by them. Anything else is refused, with
the reasons, and the file stays as it is. Extensions, whose rows follow those of stn_api, are not
frozen.

Exit status: 0 done or equal, 1 refused (with --check: or not up to date).
"""

import argparse
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "python"))

import stiction  # noqa: E402  (found through the line above)

HEAD = """\
# The frozen rows of ABI version 1, written by freeze_abi.py: rows are added, never changed.
# kind | owner | name | type | offset, or value of a constant | size
"""


def frozen_part(rows):
    """The rows up to the last one of stn_api; extensions come after it."""
    last = max(i for i, row in enumerate(rows) if row.owner == "stn_api")
    return rows[:last + 1]


def format_rows(rows):
    return HEAD + "".join(" | ".join(map(str, row)) + "\n" for row in rows)


def parse_rows(text):
    rows = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, owner, name, type_, offset, size = line.split(" | ")
            rows.append(stiction.Row(kind, owner, name, type_, int(offset), int(size)))
    return rows


def key(row):
    return row.kind, row.owner, row.name


def title(row):
    return "%s %s" % (row.kind, ".".join(filter(None, (row.owner, row.name))))


def changed_rows(old, new):
    """What has become of each old row, where it is not the same any more."""
    now = {key(row): row for row in new}
    sized = {row.owner for row in new if row.name == "struct_size"}
    for row in old:
        found = now.get(key(row))
        if not found:
            yield "%s has vanished" % title(row)
        elif found.type != row.type:
            yield "%s was '%s' and is '%s'" % (title(row), row.type, found.type)
        elif found.offset != row.offset:
            yield "%s was at %d and is at %d" % (title(row), row.offset, found.offset)
        elif found.size != row.size:
            grows = row.kind == "struct" and found.size > row.size and row.name in sized
            if not grows:
                yield "%s had %d bytes and has %d" % (title(row), row.size, found.size)


def moved_rows(old, new):
    """Old rows that stand in another order now; new members that are not behind the old ones."""
    known = {key(row) for row in old}
    order = [key(row) for row in new if key(row) in known]
    now = set(order)
    still = [key(row) for row in old if key(row) in now]
    for before, after in zip(still, order):
        if before != after:
            yield "%s has moved" % " ".join(filter(None, before))
            break
    size = {row.name: row.size for row in old if row.kind == "struct"}
    for row in new:
        if key(row) not in known and row.owner in size and row.offset < size[row.owner]:
            yield "%s is new, but not behind the members that were there" % title(row)


def problems(old, new):
    """Everything that breaks the promise of the old rows; new ones may be there besides."""
    twice = [k for k, count in collections.Counter(map(key, new)).items() if count > 1]
    return (list(changed_rows(old, new)) + list(moved_rows(old, new)) +
            ["%s is there twice" % " ".join(filter(None, k)) for k in twice])


def read_frozen(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return parse_rows(file.read())


def main():
    parser = argparse.ArgumentParser(description="Freezes the rows of the ABI.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("file", nargs="?", default=os.path.join(HERE, "abi_v1.txt"))
    options = parser.parse_args()

    old, new = read_frozen(options.file), frozen_part(stiction.load().rows)
    broken = problems(old, new)
    for problem in broken:
        print(problem)
    if broken:
        print("The ABI of version 1 is a promise: put these back, or add new rows instead.")
    elif old == new:
        print("%s is up to date: %d rows" % (options.file, len(old)))
    elif options.check:
        print("%s has %d rows, the library %d" % (options.file, len(old), len(new)))
    else:
        with open(options.file, "w", encoding="utf-8") as file:
            file.write(format_rows(new))
        print("%s: %d rows, %d of them new" % (options.file, len(new), len(new) - len(old)))
    return 1 if broken or options.check and old != new else 0


if __name__ == "__main__":
    sys.exit(main())
