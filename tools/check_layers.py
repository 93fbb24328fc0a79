#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every #include points downward through the layers.

    check_layers.py [ROOT]      ROOT: top folder of the project, by default the one this file is in

The table below is the architecture: a folder may include itself and the rows under its own, never
another folder in its row. Beyond the table:

  * hosts (the command and the add-ons) stand on the public header and on nothing else;
  * the public header stands on nothing of ours;
  * cglm stays at the border: the float bridge, and pictures drawn by the command.

Prints each violation as file:line and the rule; exit status 1 if there is one.
"""

import argparse
import os
import pathlib
import re
import sys

LAYERS = [  # from the top down
    ["tools", "blender_addon", "maya_plugin", "bench"],
    ["plugin_abi"],
    ["core/io"],
    ["core/scene"],
    ["core/inverse"],
    ["core/contact"],
    ["core/rods", "core/cloth", "core/rigid", "core/collide"],
    ["core/mechanics"],
    ["core/linalg"],
    ["core/math"],
    ["core/base"],
]
HEIGHT = {folder: -row for row, folders in enumerate(LAYERS) for folder in folders}
HOSTS = {"tools", "blender_addon", "maya_plugin"}
CHECKED = ["core", "plugin_abi", "tools", "bench", "blender_addon", "maya_plugin"]
PUBLIC = "plugin_abi/include"
INCLUDE_ROOTS = ["core", PUBLIC, "plugin_abi/src", "plugin_abi/ffi", "tools", "bench"]
CGLM_RULE = "cglm belongs to the bridge and to pictures"
CGLM_USERS = re.compile(r"core/math/f32_bridge\.\w+|tools/(.*/)?(preview|picture)[^/]*(/.*)?")
SUFFIXES = {".c", ".h", ".cc", ".cpp", ".hpp", ".inc"}

DOWNWARD = "an include may only point downward"
COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(.*?)[ \t]*$", re.MULTILINE)
TARGET = re.compile(r'<([^>]+)>|"([^"]+)"')


def includes_of(text):
    """Line number and what follows #include, for each one outside comments."""
    def blank_comment(match):
        return "\n" * match[0].count("\n") if match[0].startswith("/") else match[0]

    code = COMMENT_OR_LITERAL.sub(blank_comment, text)
    for match in INCLUDE.finditer(code):
        yield code.count("\n", 0, match.start(1)) + 1, match[1]


def resolve(root, source, name):
    """The project's file, or its template, that an include means; relative to root. Else None."""
    for folder in [os.path.dirname(source), *INCLUDE_ROOTS]:
        path = os.path.normpath(os.path.join(folder, name))
        if any((root / (path + suffix)).is_file() for suffix in ("", ".in")):
            return path
    return None


def layer_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "core" else parts[0]


def is_public(path):
    return path.startswith(PUBLIC + "/")


def layer_violation(source, target):
    """Why the file `source` may not include the file `target`, or None."""
    here, there = layer_of(source), layer_of(target)
    if there not in HEIGHT:
        return f"{there} has no place in the layers"
    if is_public(source):
        return None if is_public(target) else f"the public header may not include {target}"
    if here == there:
        return None
    if here in HOSTS:
        return None if is_public(target) else f"{here} may include only the public header"
    if HEIGHT[there] < HEIGHT[here]:
        return None
    return f"{here} may not include {there}: {DOWNWARD}"


def violation(root, source, include):
    """Why the file `source` may not hold this include, or None."""
    match = TARGET.match(include)
    if not match:
        return f"cannot tell what is included by: {include}"
    name, quoted = match[1] or match[2], match[2] is not None
    if name.startswith("cglm/"):
        return None if CGLM_USERS.fullmatch(source) else CGLM_RULE
    target = resolve(root, source, name)
    if target:
        return layer_violation(source, target)
    if name.startswith("stiction/"):
        return layer_violation(source, f"{PUBLIC}/{name}")
    return f'no file of the project is named "{name}"' if quoted else None


def check_file(root, source):
    if layer_of(source) not in HEIGHT:
        yield f"{source}:1: {layer_of(source)} has no place in the layers"
        return
    text = (root / source).read_text(encoding="utf-8", errors="replace")
    for line, include in includes_of(text):
        reason = violation(root, source, include)
        if reason:
            yield f"{source}:{line}: {reason}"


def check_tree(root):
    """All violations in the project whose top folder is root."""
    files = [path for folder in CHECKED for path in sorted((root / folder).rglob("*"))
             if path.suffix in SUFFIXES]
    return [line for path in files for line in check_file(root, path.relative_to(root).as_posix())]


def main():
    parser = argparse.ArgumentParser(description="Checks that includes point downward.")
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    violations = check_tree(parser.parse_args().root)
    print("\n".join(violations) or "every include points downward")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
