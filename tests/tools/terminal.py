# SPDX-License-Identifier: Apache-2.0
"""Pseudo terminals for tests; where the system has none, the test is skipped."""

import pty


def open_terminal(test):
    """Our end and the command's end."""
    try:
        return pty.openpty()
    except OSError as error:
        test.skipTest("no pseudo terminals here: %s" % error)
