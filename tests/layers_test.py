# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers.py sees what points upward or sideways, and lets the rest be."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent / "tools"
sys.path.insert(0, str(TOOLS))

import check_layers  # noqa: E402  (found through the line above)

GOOD_TREE = {
    "core/base/arena.h": "#include <stddef.h>\n",
    "core/math/v3.h": '#include "base/arena.h"\n',
    "core/math/f32_bridge.c": '#include <cglm/cglm.h>\n#include "math/v3.h"\n',
    "core/linalg/ldl.h": '#include "math/v3.h"\n',
    "core/rods/rod.h": '#include "linalg/ldl.h"\n',
    "core/cloth/cloth.h": '#include "linalg/ldl.h"\n',
    "core/contact/law.h": '#include "cloth/cloth.h"\n#include "rods/rod.h"\n',
    "core/scene/scene.h": '#include "contact/law.h"\n',
    "core/io/json.c": '#include "scene/scene.h"\n#include <jansson.h>\n',
    "plugin_abi/include/stiction/stiction.h": "#include <stdint.h>\n",
    "plugin_abi/src/api.c": '#include <stiction/stiction.h>\n#include "scene/scene.h"\n',
    "tools/cli.h": "#include <stiction/stiction.h>\n",
    "tools/preview.c": '#include "cli.h"\n#include <cglm/cglm.h>\n#include <png.h>\n',
    "bench/step.c": '#include <stiction/stiction.h>\n#include "contact/law.h"\n',
}


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path, text in GOOD_TREE.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def assert_caught(self, path, include, rule):
        """With this include on its third line, the file is the one violation."""
        self.write(path, f"/* first line\n */\n#include {include}\n")
        violations = check_layers.check_tree(self.root)
        self.assertEqual(len(violations), 1, violations)
        self.assertTrue(violations[0].startswith(f"{path}:3: "), violations[0])
        self.assertIn(rule, violations[0])

    def test_a_good_tree_has_no_violation(self):
        self.assertEqual(check_layers.check_tree(self.root), [])

    def test_upward_is_caught(self):
        self.assert_caught("core/math/m3.c", '"contact/law.h"',
                           "core/math may not include core/contact")

    def test_scene_may_not_use_io(self):
        self.write("core/io/json.h", "")
        self.assert_caught("core/scene/step.c", '"io/json.h"', "core/scene may not include core/io")

    def test_siblings_are_blind_to_one_another(self):
        self.assert_caught("core/cloth/on_hair.c", '"rods/rod.h"',
                           "core/cloth may not include core/rods")

    def test_a_path_through_the_parent_folder_is_caught(self):
        self.assert_caught("core/cloth/on_hair.c", '"../rods/rod.h"', "downward")

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assert_caught("core/math/m3.c", "<contact/law.h>", "downward")

    def test_core_may_not_see_the_public_header(self):
        self.assert_caught("core/scene/step.c", "<stiction/stiction.h>",
                           "core/scene may not include plugin_abi")

    def test_core_may_not_see_a_public_header_that_is_not_there_yet(self):
        self.assert_caught("core/scene/step.h", "<stiction/later.h>", "plugin_abi")

    def test_core_may_not_see_the_sources_of_the_abi(self):
        self.write("plugin_abi/src/table.h", "")
        self.assert_caught("core/scene/step.h", '"table.h"', "plugin_abi")

    def test_tools_may_see_the_public_header_only(self):
        self.assert_caught("tools/run.c", '"scene/scene.h"', "only the public header")

    def test_tools_may_not_see_the_sources_of_the_abi(self):
        self.write("plugin_abi/src/table.h", "")
        self.assert_caught("tools/run.c", '"table.h"', "only the public header")

    def test_the_public_header_stands_alone(self):
        self.assert_caught("plugin_abi/include/stiction/extra.h", '"base/arena.h"',
                           "the public header may not include")

    def test_cglm_is_caught_in_the_solver_and_in_the_rest_of_the_tools(self):
        rule = "cglm belongs to the bridge and to pictures"
        self.assert_caught("core/math/m3.c", "<cglm/mat3.h>", rule)
        (self.root / "core/math/m3.c").unlink()
        self.assert_caught("tools/run.c", '"cglm/mat3.h"', rule)

    def test_an_include_of_nothing_is_caught(self):
        self.assert_caught("core/math/m3.c", '"math/none.h"', "no file of the project")

    def test_an_include_that_cannot_be_read_is_caught(self):
        self.assert_caught("core/math/m3.c", "HEADER", "cannot tell")

    def test_a_folder_outside_the_table_is_caught(self):
        self.write("core/extra/new.h", "")
        self.assertEqual(check_layers.check_tree(self.root),
                         ["core/extra/new.h:1: core/extra has no place in the layers"])

    def test_comments_and_strings_are_no_includes(self):
        self.write("core/math/m3.c", '/*\n#include "contact/law.h"\n*/\n'
                   '// #include "contact/law.h"\nconst char *s = "/*";\n#include "math/v3.h"\n')
        self.assertEqual(check_layers.check_tree(self.root), [])

    def test_headers_may_be_generated_from_a_template(self):
        self.write("core/base/version.h.in", "")
        self.write("core/math/m3.c", '#include "base/version.h"\n')
        self.assertEqual(check_layers.check_tree(self.root), [])

    def test_the_command_prints_the_violation_and_fails(self):
        self.write("core/base/up.c", '#include "math/v3.h"\n')
        done = subprocess.run([sys.executable, str(TOOLS / "check_layers.py"), str(self.root)],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "core/base/up.c:1: core/base may not include core/math: "
                         "an include may only point downward\n")


if __name__ == "__main__":
    unittest.main()
