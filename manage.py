#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from config import VERSION


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        print(f"Tessera {VERSION}")  # noqa: T201  # what was asked for
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415  # settings first

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
