# SPDX-License-Identifier: GPL-2.0-only
"""How "make docs" builds wormhole.rst; inside an ns-3 tree, ns-3's own configuration does."""

project = "wormhole"
copyright = "The wormhole authors, GPL-2.0-only"
author = "The wormhole authors"
release = version = "0.1"

root_doc = "wormhole"
include_patterns = ["wormhole.rst"]
highlight_language = "cpp"
numfig = True

html_theme = "alabaster"
html_theme_options = {"page_width": "1000px", "description": "Wormhole fabrics for ns-3"}
html_copy_source = False
