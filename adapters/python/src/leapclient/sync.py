"""The client without asyncio. Every call runs on the engine's own event loop."""

import asyncio
import inspect
from typing import Any, Callable, Coroutine, Dict, Iterator, List, Mapping, Optional, Sequence, TypeVar, Union

from .engine import Analysis, UgiEngine, popen_ugi
from .model import Board, Effects, Info, Legality, Limit, Moves, Option, PlayResult, Problem, Rules, Status, Turn, Values

T = TypeVar("T")
C = TypeVar("C", bound=type)


def _explained_by(original: type) -> Callable[[C], C]:
    """Gives the methods of a class the docstrings of the methods that they call."""
    def explain(copy: C) -> C:
        for name, method in vars(copy).items():
            if not name.startswith("_") and inspect.isfunction(method) and method.__doc__ is None:
                method.__doc__ = getattr(original, name).__doc__
        return copy
    return explain


@_explained_by(UgiEngine)
class Engine:
    """An engine for use without asyncio, from one thread. At the end of a `with` block it is closed.

    A refused command raises `Refused`, and an illegal move raises `IllegalMove`. The game then stays as it was.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, engine: UgiEngine) -> None:
        self._loop = loop
        self._engine = engine

    @classmethod
    def popen(cls, command: Union[str, Sequence[str], None] = None, timeout: float = 10.0) -> "Engine":
        """Starts an engine in its own process group. Without a command, this is the installed leapd.

        No reply may take longer than `timeout` seconds, even if the engine writes other lines meanwhile.
        """
        loop = asyncio.new_event_loop()
        try:
            return cls(loop, loop.run_until_complete(popen_ugi(command, timeout)))
        except BaseException:
            loop.close()
            raise

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        if not self._loop.is_closed():
            self._run(self._engine.close())
            self._loop.close()

    @property
    def id(self) -> Dict[str, str]:
        """The lines `id name` and `id author`."""
        return self._engine.id

    @property
    def options(self) -> Dict[str, Option]:
        """The engine's options by name."""
        return self._engine.options

    def analysis(self, limit: Limit = Limit(), timeout: Optional[float] = None) -> "SyncAnalysis":
        """Starts a search, and lets you read its lines one by one. `with` or `stop` ends the search.

        `timeout` limits the total time that the client waits for the engine: beyond it the engine is killed. By
        default a search by time or clock may take the engine's own `timeout` longer. Other searches have no deadline.
        """
        return SyncAnalysis(self, self._run(self._engine.analysis(limit, timeout)))

    def analyse(self, limit: Limit, timeout: Optional[float] = None) -> List[Info]:
        return self._run(self._engine.analyse(limit, timeout))

    def play(self, limit: Limit, timeout: Optional[float] = None) -> PlayResult:
        return self._run(self._engine.play(limit, timeout))

    def configure(self, options: Mapping[str, object]) -> None:
        self._run(self._engine.configure(options))

    def new_game(self) -> None:
        self._run(self._engine.new_game())

    def position(self, fen: Optional[str] = None, moves: Sequence[str] = ()) -> None:
        self._run(self._engine.position(fen, moves))

    def move(self, *moves: str) -> None:
        self._run(self._engine.move(*moves))

    def undo(self, count: int = 1) -> None:
        self._run(self._engine.undo(count))

    def command(self, line: str, last: str = "readyok") -> List[str]:
        return self._run(self._engine.command(line, last))

    def query(self, question: str) -> str:
        return self._run(self._engine.query(question))

    def protocol(self) -> List[str]:
        return self._run(self._engine.protocol())

    def p1_turn(self) -> bool:
        return self._run(self._engine.p1_turn())

    def game_over(self) -> bool:
        return self._run(self._engine.game_over())

    def result(self) -> str:
        return self._run(self._engine.result())

    def fen(self) -> str:
        return self._run(self._engine.fen())

    def moves(self, limit: Optional[int] = None) -> Moves:
        return self._run(self._engine.moves(limit))

    def legal(self, move: str) -> Legality:
        return self._run(self._engine.legal(move))

    def status(self) -> Status:
        return self._run(self._engine.status())

    def games(self) -> List[str]:
        return self._run(self._engine.games())

    def game(self) -> Dict[str, str]:
        return self._run(self._engine.game())

    def board(self) -> Board:
        return self._run(self._engine.board())

    def next(self, partial: str = "") -> List[str]:
        return self._run(self._engine.next(partial))

    def effects(self, move: str) -> Effects:
        return self._run(self._engine.effects(move))

    def turn(self, text: str = "") -> Turn:
        return self._run(self._engine.turn(text))

    def history(self) -> List[str]:
        return self._run(self._engine.history())

    def rules(self, language: str = "en") -> Rules:
        return self._run(self._engine.rules(language))

    def problems(self) -> List[Problem]:
        return self._run(self._engine.problems())

    def value(self) -> Values:
        return self._run(self._engine.value())

    def draw_offer(self) -> bool:
        return self._run(self._engine.draw_offer())

    def eval(self) -> Dict[str, int]:
        return self._run(self._engine.eval())


@_explained_by(Analysis)
class SyncAnalysis:
    """A running search. Iterate over it to read its `Info`s, `stop` it, or `wait` for its result."""

    def __init__(self, engine: Engine, analysis: Analysis) -> None:
        self._engine = engine
        self._analysis = analysis

    def __enter__(self) -> "SyncAnalysis":
        return self

    def __exit__(self, *_: object) -> None:
        self._engine._run(self._analysis.__aexit__())

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        try:
            return self._engine._run(self._analysis.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def stop(self) -> PlayResult:
        return self._engine._run(self._analysis.stop())

    def wait(self) -> PlayResult:
        return self._engine._run(self._analysis.wait())
