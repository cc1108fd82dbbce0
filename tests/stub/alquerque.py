#!/usr/bin/env python3
"""A small engine for Alquerque on `leapclient.serve`. The rules are written from SPEC.md alone.

    leap check python3 tests/stub/alquerque.py

With `--break NAME` it plays by a rule broken on purpose, which `leap check` must find; `--list` prints the names.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

# Before our own modules. A run of the tests leaves nothing in the tree.
sys.dont_write_bytecode |= sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "adapters" / "python" / "src"))

from broken import BREAKS  # noqa: E402
from leapclient.serve import serve  # noqa: E402
from rules import Rules  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--break", dest="broken", choices=BREAKS, metavar="NAME", help="play by a broken rule")
    parser.add_argument("--list", action="store_true", help="print the names of the broken rules and what they do")
    arguments = parser.parse_args()
    if arguments.list:
        for name, rules in BREAKS.items():
            print(f"{name}: {rules.__doc__}")
    else:
        serve(BREAKS.get(arguments.broken, Rules)())


if __name__ == "__main__":
    main()
