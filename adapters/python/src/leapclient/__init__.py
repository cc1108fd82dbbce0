"""A client for engines of the leap protocol: `Engine` blocks, `popen_ugi` is for asyncio."""

from .engine import Analysis, UgiEngine, popen_ugi
from .errors import (
    EngineError, EngineNotFound, EngineNotStarted, EngineTerminated, EngineTimeout, IllegalMove, ProtocolError, Refused)
from .model import (
    Board, Clause, Effects, Exact, Example, Info, Legality, Limit, Moves, NextToken, Option, Piece, PlayResult, Problem,
    RuleOption, Rules, Score, Status, Turn, Values)
from .sync import Engine, SyncAnalysis

__all__ = [
    "Analysis", "Board", "Clause", "Effects", "Engine", "EngineError", "EngineNotFound", "EngineNotStarted",
    "EngineTerminated", "EngineTimeout", "Exact", "Example", "IllegalMove", "Info", "Legality", "Limit", "Moves",
    "NextToken", "Option", "Piece", "PlayResult", "Problem", "ProtocolError", "Refused", "RuleOption", "Rules",
    "Score", "Status", "SyncAnalysis", "Turn", "UgiEngine", "Values", "popen_ugi",
]
