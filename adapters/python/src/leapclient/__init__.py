"""A client for engines of the leap protocol: `Engine` blocks, `popen_ugi` is for asyncio."""

from .engine import Analysis, UgiEngine, popen_ugi
from .errors import EngineError, EngineTerminated, EngineTimeout, IllegalMove, ProtocolError, Refused
from .model import Board, Effects, Info, Legality, Limit, Moves, Option, PlayResult, Score, Status
from .sync import Engine, SyncAnalysis

__all__ = [
    "Analysis", "Board", "Effects", "Engine", "EngineError", "EngineTerminated", "EngineTimeout", "IllegalMove",
    "Info", "Legality", "Limit", "Moves", "Option", "PlayResult", "ProtocolError", "Refused", "Score", "Status",
    "SyncAnalysis", "UgiEngine", "popen_ugi",
]
