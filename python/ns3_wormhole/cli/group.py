# SPDX-License-Identifier: GPL-2.0-only
"""Groups of commands."""

import importlib
from typing import Mapping

import click

from ..core.errors import nearest


class Group(click.Group):
    """A group of commands; the error for an unknown command names the most similar one."""

    def __init__(self, *args, later: Mapping[str, str] | None = None, **settings):
        """Takes click.Group's arguments, and commands whose modules are imported only on demand, since importing all
        modules takes a quarter of a second. later: module and function, by name of the command"""
        super().__init__(*args, **settings)
        self._later = later or {}

    def list_commands(self, ctx):
        """Returns the names of all commands."""
        return sorted({*self.commands, *self._later})

    def get_command(self, ctx, cmd_name):
        """Returns a command; None if there is no such command."""
        if cmd_name in self._later:
            module, function = self._later[cmd_name].rsplit(".", 1)
            return getattr(importlib.import_module(f"..{module}", __package__), function)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx, args):
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command '{args[0]}'; there are "
                                   f"{', '.join(names)}{nearest(args[0], names)}")
        return super().resolve_command(ctx, args)
