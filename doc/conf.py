# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's configuration, for "make docs"."""

import os
import re
import sys
from pathlib import Path

from docutils.parsers.rst.directives.misc import Include

ROOT = Path(__file__).resolve().parent.parent

project = "wormhole"
copyright = "The wormhole authors, GPL-2.0-only"
author = "The wormhole authors"
release = version = re.search(r"wormhole VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

root_doc = "wormhole"
highlight_language = "cpp"
numfig = True

html_theme = "alabaster"
html_theme_options = {"page_width": "1000px", "description": "Wormhole fabrics for ns-3"}
html_copy_source = False


class Printed(Include):
    """Includes a table that the build prints into its folder."""

    def run(self):
        self.arguments[0] = str(ROOT / os.environ.get("BUILD", "build") / self.arguments[0])
        return super().run()


def setup(app):
    sys.path.insert(0, str(ROOT / "doc"))
    import gallery
    gallery.make(ROOT / os.environ.get("BUILD", "build"))
    app.add_directive("printed", Printed)
