"""The engine process and the conversation with it, for asyncio."""

import asyncio
import contextlib
import importlib.metadata
import os
import shutil
import signal
import sys
from typing import AsyncIterator, Dict, List, Mapping, Optional, Sequence, Union

from . import protocol
from .errors import EngineError, EngineTerminated, EngineTimeout, ProtocolError
from .model import Board, Effects, Info, Legality, Limit, Moves, Option, PlayResult, Rules, Status

# The longest line that is accepted, in bytes.
LINE_LIMIT = 1 << 26


def _installed() -> str:
    """The `leapd` of the package that this module is in; without one, the first in the path of commands."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("leapd") or ():
            program = str(file.locate())
            if file.name in ("leapd", "leapd.exe") and os.path.isfile(program):
                return program
    found = shutil.which("leapd")
    if found is None:
        raise FileNotFoundError("expected leapd beside this package or in PATH, found none: name an engine")
    return found


async def popen_ugi(command: Union[str, Sequence[str], None] = None, timeout: float = 10.0) -> "UgiEngine":
    """Starts an engine in its own process group; without a command, the installed leapd.

    No reply may take longer than `timeout` seconds.
    """
    words = [_installed()] if command is None else [command] if isinstance(command, str) else list(command)
    process = await asyncio.create_subprocess_exec(
        *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True,
        limit=LINE_LIMIT)
    engine = UgiEngine(process, timeout)
    try:
        await engine.handshake()
    except BaseException:
        await engine.close()
        raise
    return engine


class UgiEngine:
    """An engine, used with asyncio: the methods of `Engine`, which are awaited, and these.

    One conversation at a time: a request during an analysis raises `EngineError`. `id` has the lines `id name` and
    `id author`, `options` the engine's options by name.
    """

    def __init__(self, process: asyncio.subprocess.Process, timeout: float) -> None:
        self.process = process
        self.timeout = timeout
        self.id: Dict[str, str] = {}
        self.options: Dict[str, Option] = {}
        self._lock = asyncio.Lock()
        self._searching = False

    async def __aenter__(self) -> "UgiEngine":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Kills the engine with its process group; on Windows, which has none, alone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()

    def _refuse_during_search(self) -> None:
        # Waiting would deadlock if the caller is the one who has to stop the search.
        if self._searching:
            raise EngineError("a search runs: stop it first")

    async def handshake(self) -> None:
        """Asks the engine for its name and options; `popen_ugi` has done so."""
        for line in await self.command("ugi", "ugiok"):
            words = line.split(None, 2)
            if words[0] == "id" and len(words) == 3:
                self.id[words[1]] = words[2]
            elif words[0] == "option":
                option = protocol.option(line)
                self.options[option.name] = option

    async def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise ValueError("a command is one line")
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            await asyncio.wait_for(self.process.stdin.drain(), self.timeout)
        except asyncio.TimeoutError:
            await self.close()
            raise EngineTimeout(f"the engine has not read for {self.timeout} s") from None
        except OSError:
            raise EngineTerminated("the engine has ended") from None

    async def _line(self, timeout: Optional[float]) -> str:
        assert self.process.stdout is not None
        try:
            line = await asyncio.wait_for(self.process.stdout.readline(), timeout)
        except asyncio.TimeoutError:
            await self.close()
            raise EngineTimeout(f"no reply of the engine in {timeout} s") from None
        except ValueError:
            await self.close()
            raise ProtocolError(f"a line of more than {LINE_LIMIT} bytes") from None
        if not line:
            raise EngineTerminated("the engine has ended")
        return line.decode(errors="replace").strip()

    async def command(self, line: str, last: str = "readyok") -> List[str]:
        """The reply to any command but `go`, up to the line `last`; an error line is raised."""
        self._refuse_during_search()
        async with self._lock:
            await self._send(line)
            await self._send("isready")
            try:
                return await self._reply(last)
            except asyncio.CancelledError:
                await self.close()  # the rest of the reply would be mistaken for the next one
                raise

    async def _reply(self, last: str) -> List[str]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.timeout
        reply: List[str] = []
        while True:
            line = await self._line(max(0.0, deadline - loop.time()))
            if line == "readyok":
                break
            if line and line != last:
                reply.append(line)
        for line in reply:
            if line.startswith("error "):
                raise protocol.error(line)
        return reply

    async def query(self, question: str) -> str:
        """What follows `response` in the answer to a query."""
        for line in await self.command("query " + question):
            if line.split()[0] == "response":
                return line[len("response"):].strip()
        raise ProtocolError(f"expected a response to 'query {question}', found none")

    async def configure(self, options: Mapping[str, object]) -> None:
        """Sets options; True and False are written as in the protocol, None presses a button."""
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            await self.command(f"setoption name {name}" + ("" if value is None else f" value {text}"))

    async def new_game(self) -> None:
        """Sets up the start position, and tells the engine that it belongs to a new game."""
        await self.command("uginewgame")

    async def position(self, fen: Optional[str] = None, moves: Sequence[str] = ()) -> None:
        """Sets up a position text, or the start position, and plays the moves."""
        start = "startpos" if fen is None else "fen " + fen
        await self.command(" ".join(["position", start, *(["moves", *moves] if moves else [])]))

    async def move(self, *moves: str) -> None:
        """Makes moves: all of them, or none if one is illegal."""
        await self.command(" ".join(["move", *moves]))

    async def undo(self, count: int = 1) -> None:
        """Takes back moves."""
        await self.command(f"undo {count}")

    async def analysis(self, limit: Limit = Limit(), timeout: Optional[float] = None) -> "Analysis":
        """Starts a search whose lines are read one by one; end it by `async with` or `stop`.

        An engine that is silent for `timeout` seconds is killed.
        """
        self._refuse_during_search()
        await self._lock.acquire()
        self._searching = True
        try:
            await self._send(limit.go())
        except BaseException:
            self._searching = False
            self._lock.release()
            raise
        return Analysis(self, limit, timeout)

    async def analyse(self, limit: Limit, timeout: Optional[float] = None) -> List[Info]:
        """Searches, and returns the last line of each rank (`MultiPV`), best first."""
        if limit.is_infinite:
            raise ValueError("expected a limit, found none: use analysis() to search until stopped")
        ranks: Dict[int, Info] = {}
        async with await self.analysis(limit, timeout) as analysis:
            async for info in analysis:
                if info.score is not None:
                    ranks[info.multipv] = info
        return [ranks[rank] for rank in sorted(ranks)]

    async def play(self, limit: Limit, timeout: Optional[float] = None) -> PlayResult:
        """Searches, and returns the engine's move; it is not made."""
        if limit.is_infinite:
            raise ValueError("expected a limit, found none")
        async with await self.analysis(limit, timeout) as analysis:
            return await analysis.wait()

    async def protocol(self) -> List[str]:
        """The name and version of the protocol, and the extensions that the engine has (SPEC 4.5)."""
        return (await self.query("protocol")).split()

    async def p1_turn(self) -> bool:
        """Whether player 1 is to move."""
        return await self.query("p1turn") == "true"

    async def game_over(self) -> bool:
        """Whether the game is over."""
        return await self.query("gameover") == "true"

    async def result(self) -> str:
        """`p1win`, `p2win` or `draw`; `none` while the game goes on."""
        return await self.query("result")

    async def fen(self) -> str:
        """The position as text (SPEC 9.7)."""
        return await self.query("fen")

    async def moves(self, limit: Optional[int] = None) -> Moves:
        """The legal moves, in listing order; at most `limit`, or 10,000."""
        return protocol.moves(await self.query("moves" if limit is None else f"moves limit {limit}"))

    async def legal(self, move: str) -> Legality:
        """Whether a move is legal, and if not, why and at which square."""
        return protocol.legality(await self.query("legal " + move))

    async def status(self) -> Status:
        """Who is to move, whether and why the game is over, and what the game counts."""
        return protocol.status(await self.query("status"))

    async def games(self) -> List[str]:
        """The ids of the games that the engine plays."""
        return (await self.query("games")).split()

    async def game(self) -> Dict[str, str]:
        """The rule options in force, by name, and the id of the game under `Game`."""
        name, *rest = (await self.query("game")).split()
        return {"Game": name, **protocol.pairs(rest)}

    async def board(self) -> Board:
        """The layout of the board, and the kinds of pieces."""
        return protocol.board(await self.command("query board", "boardok"))

    async def next(self, partial: str = "") -> List[str]:
        """What may follow a partly entered move: squares, drops (`@c3`), `end`; without one, the origins (SPEC 4.24)."""
        return (await self.query("next " + partial)).split()

    async def effects(self, move: str) -> Effects:
        """What a legal move does to the board, step by step."""
        return protocol.effects(await self.query("effects " + move))

    async def history(self) -> List[str]:
        """The moves made since the position that was set up last."""
        return (await self.query("history")).split()[1:]

    async def rules(self, language: str = "en") -> Rules:
        """The rules of the game for people, in a language of the engine; in English if it does not have it."""
        return protocol.rules(await self.command(f"query rules {language}", "rulesok"))

    async def draw_offer(self) -> bool:
        """Offers a draw; whether the engine accepts it. Refused where the game knows no agreement."""
        return "draw accept" in await self.command("draw offer")

    async def eval(self) -> Dict[str, int]:
        """The static evaluation for the side to move in its parts, which add up to `total`."""
        reply = await self.command("eval")
        words = reply[0].split()[1:] if reply else []
        return {key: protocol.number(value) for key, value in protocol.pairs(words).items()}


class Analysis:
    """A running search: iterate over its `Info`s with `async for`; `stop` and `wait` are awaited."""

    def __init__(self, engine: UgiEngine, limit: Limit, timeout: Optional[float]) -> None:
        self._engine = engine
        clock = max((time or 0.0 for time in (limit.p1_clock, limit.p2_clock)), default=0.0)
        bounded = limit.time is not None or clock > 0
        # A search by depth or nodes alone, or without limits, may be silent for any time.
        self._timeout = (limit.time or clock) + engine.timeout if bounded and timeout is None else timeout
        self._last = Info()
        self._result: Optional[PlayResult] = None
        self._done = False

    async def __aenter__(self) -> "Analysis":
        return self

    async def __aexit__(self, *_: object) -> None:
        if not self._done:
            await self.stop()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = None if self._done else await self._step()
        if info is None:
            raise StopAsyncIteration
        return info

    async def _step(self) -> Optional[Info]:
        try:
            line = ""
            while not line.startswith(("info ", "bestmove", "error ")):
                line = await self._engine._line(self._timeout)
            if line.startswith("info "):
                info = protocol.info(line)
                self._last = info if info.score and info.multipv == 1 else self._last
                return info
            if line.startswith("error "):
                raise protocol.error(line)
            self._result = protocol.bestmove(line, self._last)
        except asyncio.CancelledError:
            raise
        except BaseException:
            self._finish()
            raise
        self._finish()
        return None

    def _finish(self) -> None:
        self._done = True
        self._engine._searching = False
        self._engine._lock.release()

    async def wait(self) -> PlayResult:
        """The result, when the search has ended."""
        async for _ in self:
            pass
        if self._result is None:
            raise ProtocolError("expected a bestmove, found none")
        return self._result

    async def stop(self) -> PlayResult:
        """Ends the search."""
        if not self._done:
            self._timeout = self._engine.timeout
            try:
                await self._engine._send("stop")
            except BaseException:
                self._finish()
                raise
        return await self.wait()
