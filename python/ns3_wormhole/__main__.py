# SPDX-License-Identifier: GPL-2.0-only
"""Starts the command ns3-wormhole, so that it can be interrupted while it is still being loaded."""

import sys


def main():
    """Runs the command line, and exits."""
    try:
        from .cli import main as run
    except KeyboardInterrupt:
        print("ns3-wormhole: interrupted", file=sys.stderr)
        sys.exit(130)
    except ImportError as error:
        print(f"ns3-wormhole: {error}", file=sys.stderr)
        sys.exit(1)
    run()


if __name__ == "__main__":
    main()
