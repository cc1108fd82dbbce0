"""A client for engines of the leap protocol.

`Engine` blocks, `popen_ugi` is for asyncio, and `Position` is a game in play. The module `records` reads and writes
games, and `serve` makes an engine of the rules of a game.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagram import Arrow
    from .engine import Analysis, UgiEngine, popen_ugi
    from .errors import (
        EngineError, EngineNotFound, EngineNotStarted, EngineTerminated, EngineTimeout, IllegalMove, ProtocolError,
        Refused)
    from .model import (
        Board, Clause, Effects, Exact, Example, Info, Legality, Limit, Moves, NextToken, Option, Piece, PlayResult,
        Problem, Result, RuleOption, Rules, Score, Side, Status, TokenKind, Turn, Values, Worth)
    from .position import LegalMoves, Outcome, Position
    from .sync import Engine, SyncAnalysis

__all__ = [
    "Analysis", "Arrow", "Board", "Clause", "Effects", "Engine", "EngineError", "EngineNotFound", "EngineNotStarted",
    "EngineTerminated", "EngineTimeout", "Exact", "Example", "IllegalMove", "Info", "LegalMoves", "Legality", "Limit",
    "Moves", "NextToken", "Option", "Outcome", "Piece", "PlayResult", "Position", "Problem", "ProtocolError", "Refused",
    "Result", "RuleOption", "Rules", "Score", "Side", "Status", "SyncAnalysis", "TokenKind", "Turn", "UgiEngine",
    "Values", "Worth", "popen_ugi",
]

# The modules of the client, each before those that import it.
_CLIENT = ("errors", "model", "diagram", "engine", "sync", "position")


def __getattr__(name: str) -> Any:
    # An engine made by `serve` needs no client, and starts in less than half the time without it.
    if name in __all__:
        for module in _CLIENT:
            found = getattr(importlib.import_module(f"{__name__}.{module}"), name, None)
            if found is not None:
                globals()[name] = found
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
