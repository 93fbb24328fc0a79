# SPDX-License-Identifier: Apache-2.0
"""The public headers compile alone in every language they promise, and stay plain."""

import os
import re
import shutil
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INCLUDE = os.path.join(ROOT, "plugin_abi", "include")
HEADERS = ["stiction/stiction.h", "stiction/ext_contact.h", "stiction/ext_rods.h",
           "stiction/ext_shot.h"]
LANGUAGES = [("c", "c11"), ("c", "c17"), ("c++", "c++17")]
COMPILERS = {"c": ["gcc", "clang"], "c++": ["g++", "clang++"]}
STRICT = ["-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]

FORBIDDEN = {
    "enum": r"\benum\b", "bool": r"\b_?[bB]ool\b", "long": r"\blong\b",
    "int": r"\b(unsigned|int)\b", "size_t": r"\bsize_t\b", "inline": r"\binline\b",
    "cglm": r"cglm", "varargs": r"\.\.\.", "bitfield": r"\w\s*:\s*\d+\s*;",
}


def code_of(text):
    """Without comments and without texts."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"[^"\n]*"', " ", text, flags=re.DOTALL)


def forbidden_in(text):
    return [name for name, pattern in FORBIDDEN.items() if re.search(pattern, code_of(text))]


def compile_with(compiler, language, standard, source):
    command = [compiler, "-x", language, "-std=" + standard, *STRICT, "-I", INCLUDE, "-"]
    return subprocess.run(command, input=source, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)


class Languages(unittest.TestCase):
    def each_compiler(self):
        for language, standard in LANGUAGES:
            found = [c for c in COMPILERS[language] if shutil.which(c)]
            self.assertTrue(found, "no compiler for " + language)
            for compiler in found:
                yield compiler, language, standard

    def test_each_header_compiles_alone_and_twice(self):
        for compiler, language, standard in self.each_compiler():
            for header in HEADERS:
                source = 2 * ("#include <%s>\n" % header)
                with self.subTest(compiler=compiler, standard=standard, header=header):
                    done = compile_with(compiler, language, standard, source)
                    self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_mistake_would_be_seen(self):
        for compiler, language, standard in self.each_compiler():
            done = compile_with(compiler, language, standard, "int f(void) { return 1L << 40; }\n")
            self.assertNotEqual(done.returncode, 0)


class Plainness(unittest.TestCase):
    def test_headers_have_nothing_that_differs_between_compilers_and_languages(self):
        for header in HEADERS:
            with open(os.path.join(INCLUDE, header), encoding="utf-8") as file:
                self.assertEqual(forbidden_in(file.read()), [], header)

    def test_what_is_forbidden_would_be_seen(self):
        for name, code in [("enum", "enum e { A };"), ("bool", "bool b;"), ("bool", "_Bool b;"),
                           ("long", "unsigned long x;"), ("inline", "inline void f(void) {}"),
                           ("cglm", "#include <cglm/vec3.h>"), ("varargs", "void f(int, ...);"),
                           ("bitfield", "uint32_t x : 3;"), ("size_t", "size_t n;")]:
            self.assertIn(name, forbidden_in(code))
        self.assertEqual(forbidden_in("/* enum, bool: 3; */ uint32_t x; // long\n"), [])


if __name__ == "__main__":
    unittest.main()
