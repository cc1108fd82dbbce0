"""The client without asyncio. Every call runs on the engine's own event loop, in a thread of its own."""

import asyncio
import contextlib
import inspect
import signal
import sys
import threading
import weakref
from typing import (
    TYPE_CHECKING, Any, Callable, Coroutine, Dict, Generic, Iterator, List, Mapping, Optional, Sequence, TypeVar, Union)

from .engine import Analysis, UgiEngine, popen_ugi
from .errors import EngineTerminated
from .model import (
    Board, Effects, Info, Legality, Limit, Moves, Option, PlayResult, Problem, Rules, Status, Turn, Values)

if TYPE_CHECKING:
    from .position import Position

# A caller waits for its answer in parts of this length, in seconds. A signal that comes just before a wait does not
# interrupt the wait, and on Windows none does. Python acts on it between two waits.
WAIT = 0.1
# How long the thread of a closed engine is waited for, in seconds.
END_PATIENCE = 15.0

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


def _new_loop() -> asyncio.AbstractEventLoop:
    """A loop that can start programs. The loop that a notebook chooses on Windows cannot."""
    if sys.platform == "win32":
        return asyncio.ProactorEventLoop()
    return asyncio.SelectorEventLoop()


class _Call(Generic[T]):
    """A coroutine that the loop runs for another thread, which waits for it or gives it up.

    Its task is freed in the thread of the loop: Python would lose a Ctrl-C that comes while the main thread frees one.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work: Optional[Coroutine[Any, Any, T]] = work
        self._task: Optional[asyncio.Task[T]] = None
        self._results: List[T] = []
        self._failure: Optional[BaseException] = None
        self._running = threading.Lock()
        self._running.acquire()

    def begin(self) -> None:
        """Starts the coroutine, unless it was given up before. The loop calls this."""
        if self._work is not None:
            self._task = asyncio.get_running_loop().create_task(self._work)
            self._task.add_done_callback(self._end)

    def _end(self, task: "asyncio.Task[T]") -> None:
        if task.cancelled():
            self._failure = EngineTerminated("the engine has been closed")
        else:
            self._failure = task.exception()
            self._results += [] if self._failure else [task.result()]
        self._work = self._task = None
        self._running.release()

    def is_over(self, wait: float) -> bool:
        """Waits for the end of the coroutine, and returns whether it has come."""
        return self._running.acquire(timeout=wait)

    def result(self) -> T:
        """What the coroutine has returned or raised. Asked for once, after its end."""
        failure, self._failure = self._failure, None
        try:
            if failure is not None:
                raise failure
            return self._results.pop()
        finally:
            # The traceback has this frame.
            del failure

    def give_up(self) -> None:
        """Cancels the coroutine. The loop calls this, or a caller who has not begun."""
        if self._task is not None:
            self._task.cancel()
        elif self._work is not None:
            self._work.close()
            self._work = None


class _Interrupt:
    """Notes a Ctrl-C during a `with` block, in place of the exception.

    Python raises `KeyboardInterrupt` wherever the main thread is. A callback of a weak reference would lose it.
    """

    def __init__(self) -> None:
        self.has_come = False
        self._is_watching = False

    def _note(self, *_: object) -> None:
        self.has_come = True

    def __enter__(self) -> "_Interrupt":
        # Another handler of the program stays in force. Other threads get no signals.
        if (threading.current_thread() is threading.main_thread()
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler):
            signal.signal(signal.SIGINT, self._note)
            self._is_watching = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_watching:
            signal.signal(signal.SIGINT, signal.default_int_handler)


class _Background:
    """An event loop in a thread of its own, which works beside any other loop of the program."""

    def __init__(self) -> None:
        self._loop = _new_loop()
        self._lock = threading.Lock()
        self._has_ended = False
        self._thread = threading.Thread(target=self._serve, name="leapclient", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
                self._loop.run_until_complete(asyncio.wait([task]))
            # This closes the engine.
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()

    def run(self, work: Coroutine[Any, Any, T], interrupted: Callable[[], None] = lambda: None) -> T:
        """Runs a coroutine to its end. If the caller is interrupted, cancels it, and calls `interrupted`."""
        call = _Call(work)
        is_answered = False
        try:
            with _Interrupt() as interrupt:
                self._begin(call)
                while not call.is_over(WAIT) and not interrupt.has_come:
                    pass
            if interrupt.has_come:
                raise KeyboardInterrupt
            is_answered = True
        finally:
            if not is_answered:
                with contextlib.suppress(RuntimeError):  # the loop may be closed
                    self._loop.call_soon_threadsafe(call.give_up)
                interrupted()
        return call.result()

    def _begin(self, call: "_Call[Any]") -> None:
        with self._lock:
            # After a fork, the child has no thread.
            if self._has_ended or not self._thread.is_alive():
                call.give_up()
                raise EngineTerminated("the engine has been closed")
            self._loop.call_soon_threadsafe(call.begin)

    def end(self) -> None:
        """Closes the engine, ends the loop and waits for its thread."""
        with self._lock:
            if not self._has_ended and self._thread.is_alive():
                self._has_ended = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        # The thread itself comes here if it collects an engine that nobody has any more.
        if threading.current_thread() is not self._thread:
            self._thread.join(END_PATIENCE)


@_explained_by(UgiEngine)
class Engine:
    """An engine for use without asyncio, from any thread, also where an event loop runs.

    At the end of a `with` block it is closed. A refused command raises `Refused`, and an illegal move raises
    `IllegalMove`. The game then stays as it was. Ctrl-C ends a call, and the search of `play` and `analyse`, but leaves
    the engine usable.
    """

    def __init__(self, background: _Background, engine: UgiEngine) -> None:
        self._background = background
        self._engine = engine
        # Also at the end of the program, while the thread still runs.
        self._finalizer = weakref.finalize(self, background.end)

    @classmethod
    def popen(cls, command: Union[str, Sequence[str], None] = None, timeout: float = 10.0) -> "Engine":
        """Starts an engine in its own process group. Without a command, this is the installed leapd.

        No reply may take longer than `timeout` seconds, even if the engine writes other lines meanwhile.
        """
        background = _Background()
        try:
            return cls(background, background.run(popen_ugi(command, timeout)))
        except BaseException:
            background.end()
            raise

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._background.run(work, self._engine._conversation.interrupt)

    def close(self) -> None:
        with contextlib.suppress(EngineTerminated):
            self._run(self._engine.close())
        self._finalizer()

    @property
    def id(self) -> Dict[str, str]:
        """The lines `id name` and `id author`."""
        return self._engine.id

    @property
    def options(self) -> Dict[str, Option]:
        """The engine's options by name."""
        return self._engine.options

    def analysis(self, limit: Limit = Limit(), timeout: Optional[float] = None,
                 position: "Optional[Position]" = None) -> "SyncAnalysis":
        """Starts a search, and lets you read its lines one by one. `with` or `stop` ends the search.

        `timeout` limits the total time that the client waits for the engine: beyond it the engine is killed. By
        default a search by time or clock may take the engine's own `timeout` longer. Other searches have no deadline.
        With a `position` the engine is set to its game and rule options, and searches it.
        """
        # The handle is made here: a future would keep it until the next garbage collection.
        return SyncAnalysis(self, Analysis(self._engine, self._run(self._engine._search(limit, timeout, position))))

    def analyse(self, limit: Limit, timeout: Optional[float] = None,
                position: "Optional[Position]" = None) -> List[Info]:
        return self._run(self._engine.analyse(limit, timeout, position))

    def play(self, limit: Limit, timeout: Optional[float] = None, position: "Optional[Position]" = None) -> PlayResult:
        return self._run(self._engine.play(limit, timeout, position))

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

    def command(self, line: str, last: str = "readyok", timeout: Optional[float] = None) -> List[str]:
        return self._run(self._engine.command(line, last, timeout))

    def query(self, question: str) -> str:
        return self._run(self._engine.query(question))

    def protocol(self) -> List[str]:
        return self._run(self._engine.protocol())

    def _answers(self, settings: Mapping[str, str], commands: Sequence[str], questions: Sequence[str]) -> List[str]:
        return self._run(self._engine._answers(settings, commands, questions))

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
        info = self._engine._run(self._analysis._next())
        if info is None:
            raise StopIteration
        return info

    def stop(self) -> PlayResult:
        return self._engine._run(self._analysis.stop())

    def wait(self) -> PlayResult:
        return self._engine._run(self._analysis.wait())
