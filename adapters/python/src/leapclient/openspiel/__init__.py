"""The two-player board games of OpenSpiel as one engine: a referee for `leap match`, and a sparring player.

    pip install open_spiel
    leap match --game othello --referee openspiel ...

Needs `open_spiel` from PyPI. Each game has the move texts that the engines of this game use: docs/bridges.md has a
table.
"""

import sys
from typing import NoReturn

from ..serve import serve
from .games import GAMES, Telling
from .hive import hive_text, hive_texts, stacks
from .library import pyspiel
from .positions import SpielPosition, spiel
from .rules import SpielGame

__all__ = [
    "GAMES", "SpielGame", "SpielPosition", "Telling", "hive_text", "hive_texts", "main", "pyspiel", "spiel", "stacks"]


def main() -> NoReturn:
    """Serves all games that the installed OpenSpiel has."""
    if pyspiel is None:
        sys.exit("openspiel: expected the package open_spiel, found none: pip install open_spiel")
    known = set(pyspiel.registered_names())
    serve(*(SpielGame(name) for name in GAMES if name in known))
