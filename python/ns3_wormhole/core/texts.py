# SPDX-License-Identifier: GPL-2.0-only
"""Texts from outside: which texts may be names, and how to write any text in other languages."""

import itertools
import re
from typing import Iterable

# As model/core/detail/text-tools.h has it: control characters, ends of lines and paragraphs, marks of
# direction, the byte order mark, surrogates and noncharacters.
UNPRINTABLE = frozenset(itertools.chain(
    range(0x20), range(0x7f, 0xa0), (0x61c, 0x200e, 0x200f), range(0x2028, 0x202f),
    range(0x2066, 0x206a), range(0xd800, 0xe000), range(0xfdd0, 0xfdf0), (0xfeff,),
    (plane << 16 | last for plane in range(17) for last in (0xfffe, 0xffff))))
_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_ANY = re.compile(f"[{''.join(map(chr, sorted(UNPRINTABLE)))}]")
ACCEPTED = ("printable text in UTF-8, without control characters, marks of direction and "
            "noncharacters")


def is_printable(text: str) -> bool:
    """Returns whether a text may be a name: every format can hold it, and readers see all of its characters."""
    return not _ANY.search(text)


def replaced(text: str, mark: str = "\ufffd") -> str:
    """Returns a text with a mark in place of each character that is not printable."""
    return _ANY.sub(mark, text)


def escaped(text: str) -> str:
    """Returns a text in which unprintable characters except tabs are escaped as in a Python string."""
    return _ANY.sub(lambda found: found[0] if found[0] == "\t" else found[0].encode("unicode_escape").decode(), text)


def as_xml(text: str) -> str:
    """Returns a text as content or as a quoted value in XML, SVG and HTML."""
    # xml.sax.saxutils does it, too, and imports all of urllib and http.
    return replaced(text).translate(_XML)


def toml(text: str) -> str:
    """Returns a text as a basic string of TOML, from which the same text is read; a lone surrogate, which TOML can't
    hold, becomes U+FFFD."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return '"' + re.sub(r'["\\]', r"\\\g<0>", _ANY.sub(
        lambda found: f"\0{ord(found[0]):08X}", text)).replace("\0", "\\U") + '"'


def toml_key(name: str) -> str:
    """Returns a name as a key of TOML."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml(name)


def words(names: Iterable[str]) -> str:
    """Returns names separated by blanks; names that have blanks or commas, or begin with a quote, are in quotes."""
    return " ".join('"' + name.replace('"', '""') + '"' if re.search(r'[\s,]|^"', name) else name for name in names)


def split(text: str) -> list[str]:
    """Returns the names in a text from words(); commas may also separate them."""
    return [name or quoted.replace('""', '"')
            for quoted, name in re.findall(r'"((?:[^"]|"")+)"(?=[\s,]|$)|([^\s,]+)', text)]


def unquoted(text: str) -> str:
    """Returns the name of a part of a fabric, such as "leaf-1":3-"leaf-2":4, without the quotes around names."""
    return re.sub(r"""(["'])(.+?)\1""", r"\2", text)


def comment(text: str) -> str:
    """Returns a text as a comment that ends with its line."""
    return replaced(text, "?")
