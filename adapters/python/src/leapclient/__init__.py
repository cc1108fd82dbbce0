"""A client for engines of the leap protocol.

`Engine` blocks, `popen_ugi` is for asyncio, and `Position` is a game in play. The module `records` reads and writes
games, and `serve` makes an engine of the rules of a game.
"""

from .diagram import Arrow
from .engine import Analysis, UgiEngine, popen_ugi
from .errors import (
    EngineError, EngineNotFound, EngineNotStarted, EngineTerminated, EngineTimeout, IllegalMove, ProtocolError, Refused)
from .model import (
    Board, Clause, Effects, Exact, Example, Info, Legality, Limit, Moves, NextToken, Option, Piece, PlayResult, Problem,
    Result, RuleOption, Rules, Score, Side, Status, TokenKind, Turn, Values, Worth)
from .position import LegalMoves, Outcome, Position
from .sync import Engine, SyncAnalysis

__all__ = [
    "Analysis", "Arrow", "Board", "Clause", "Effects", "Engine", "EngineError", "EngineNotFound", "EngineNotStarted",
    "EngineTerminated", "EngineTimeout", "Exact", "Example", "IllegalMove", "Info", "LegalMoves", "Legality", "Limit",
    "Moves", "NextToken", "Option", "Outcome", "Piece", "PlayResult", "Position", "Problem", "ProtocolError", "Refused",
    "Result", "RuleOption", "Rules", "Score", "Side", "Status", "SyncAnalysis", "TokenKind", "Turn", "UgiEngine",
    "Values", "Worth", "popen_ugi",
]
