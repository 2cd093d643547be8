# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's configuration, for "make docs"."""

project = "wormhole"
copyright = "The wormhole authors, GPL-2.0-only"
author = "The wormhole authors"
release = version = "0.1"

root_doc = "wormhole"
exclude_patterns = ["attributes.rst", "study-parameters.rst"]  # included by pages
highlight_language = "cpp"
numfig = True

html_theme = "alabaster"
html_theme_options = {"page_width": "1000px", "description": "Wormhole fabrics for ns-3"}
html_copy_source = False
