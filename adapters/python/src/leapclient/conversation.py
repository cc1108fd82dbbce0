"""The conversation with an engine: one command or search at a time. What a caller abandons is ended first."""

import asyncio
import logging
from dataclasses import replace
from typing import AsyncGenerator, Callable, List, Optional, Sequence, Union

from . import protocol
from .errors import EngineError, EngineTerminated, EngineTimeout, ProtocolError, visible
from .model import Info, PlayResult, Side
from .wire import Deadline, Wire

# The longest reply, in bytes. Each line also counts with the memory that keeping it takes.
REPLY_BYTES = 1 << 24
LINE_OVERHEAD = 64

log = logging.getLogger("leapclient")


def one_line(command: str) -> str:
    """The command, which must not have a line end."""
    if "\n" in command or "\r" in command:
        raise ValueError("a command is one line")
    return command


class Reply:
    """The lines of a reply up to `readyok`, without the line `last`."""

    def __init__(self, command: str, last: str) -> None:
        self.lines: List[str] = []
        self.is_abandoned = False
        self._last = protocol.split(last)
        self._is_ready = False
        # `isready` is answered while `perft` counts (SPEC 3.20). Then the reply goes on.
        self.is_counting = protocol.first_word(command) == "perft"
        self._size = 0
        # How many lines `bestmove` came, and the first of them.
        self._strays = 0
        self._stray = ""

    def take(self, line: str) -> bool:
        """Takes the next line, and returns whether the reply is complete."""
        first = protocol.first_word(line)
        if first == "readyok":
            self._is_ready = True
        elif first == "bestmove":
            self._stray = self._stray or line[:protocol.QUOTED]
            self._strays += 1
        elif first and first != "info":
            self.is_counting = False
        is_text = first not in ("", "readyok", "bestmove")
        if is_text and not (self._last[:1] == [first] and protocol.split(line) == self._last):
            self._size += len(line) + LINE_OVERHEAD
            if self._size > REPLY_BYTES:
                raise ProtocolError(f"expected a reply of at most {REPLY_BYTES} bytes, found a longer one")
            if not self.is_abandoned:
                self.lines.append(line)
        is_complete = self._is_ready and not self.is_counting
        if is_complete and self._strays:
            log.warning("discarded %d bestmove without a search: %s", self._strays, visible(self._stray))
        return is_complete


class Search:
    """A search that runs, or has ended."""

    def __init__(self, patience: Optional[float], counts_plies: bool, turn: Optional[Side]) -> None:
        self.counts_plies = counts_plies
        # Who is to move, if the engine tells.
        self.turn = turn
        # The time that its caller waits in all, what is left of it, and when the present wait began. Only waiting
        # counts: the caller may take its time between two lines.
        self.patience = self.left = patience
        self.waits_since = 0.0
        self.last: Optional[Info] = None
        self.result: Optional[PlayResult] = None
        self.has_ended = False
        self.is_stopped = False
        self.is_interrupted = False
        # What the caller reads the search by, while the caller still has it.
        self.handle: Callable[[], Optional[object]] = lambda: None

    @property
    def is_abandoned(self) -> bool:
        """Whether nobody reads the search: the next command then ends it."""
        return self.is_stopped or self.is_interrupted or self.handle() is None

    def deadline(self) -> Optional[float]:
        """When the present wait must have ended, as a time of the event loop."""
        return None if self.left is None else self.waits_since + self.left

    def take(self, line: str) -> bool:
        """Takes a line of an abandoned search, and returns whether the search has ended."""
        first = protocol.first_word(line)
        if first == "bestmove":
            self.result = protocol.bestmove(line, self.last or Info())
        return first in ("bestmove", "error")

    def read(self, line: str) -> Optional[Info]:
        """The `info` of a line, or None. Sets `has_ended` at the last line."""
        first = protocol.first_word(line)
        if first == "info":
            info = protocol.info(line, self.counts_plies, self.turn)
            if info.score and info.multipv == 1:
                self.last = protocol.better(self.last, info)
            elif info.nodes is not None and not info.score:
                # The last line of engines of UGI 1.0 has the sums of the search alone (SPEC 5.27).
                last = self.last or info
                self.last = replace(last, nodes=info.nodes, nps=info.nps or last.nps, time=info.time or last.time)
            return info
        if first == "error":
            raise protocol.error(line)
        self.has_ended = self.take(line)
        return None


class Conversation:
    """Gives each command its own answer, whatever callers cancel."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._lock = asyncio.Lock()
        # What the engine has been asked for and has not finished.
        self._open: Union[Reply, Search, None] = None
        self._is_closed = False
        # Whether `score mate` counts plies, or moves (SPEC 17.15).
        self.counts_plies = True
        self._guard = _closed_with_the_loop(wire)

    async def start(self) -> None:
        """Has the engine closed with the event loop, or when nobody has the conversation."""
        await self._guard.__anext__()

    async def close(self) -> None:
        """Ends the engine."""
        self._is_closed = True
        await self.wire.close()

    async def ask(self, commands: Sequence[str], last: str, timeout: float) -> List[str]:
        """The replies to commands, without the line `last`. They may have error lines."""
        firsts = [protocol.first_word(one_line(command)) for command in commands]
        if "go" in firsts:
            raise ValueError("expected a command other than 'go': use analysis, analyse or play")
        self._check()
        async with self._lock:
            await self._end_what_is_open(timeout)
            # One write, so that a cancelled command has its `isready`.
            sent = commands if firsts == ["isready"] else [*commands, "isready"]
            return await self._exchange(sent, Reply(commands[0], last), timeout)

    async def search(self, go: str, setup: Sequence[str], patience: Optional[float], timeout: float) -> Search:
        """Begins a search by a `go` line, in the position that the commands of `setup` make."""
        for command in (go, *setup):
            one_line(command)
        self._check()
        async with self._lock:
            await self._end_what_is_open(timeout)
            # After `readyok`, no second `bestmove` of an earlier search can answer this one.
            lines = await self._exchange([*setup, "query p1turn", "isready"], Reply("isready", ""), timeout)
            if setup:
                protocol.checked(lines)
            search = Search(patience, self.counts_plies, protocol.turn_of(lines))
            self._send(go, search)
        return search

    async def _exchange(self, commands: Sequence[str], reply: Reply, timeout: float) -> List[str]:
        self._send("\n".join(commands), reply)
        await self._read(reply, timeout)
        return reply.lines

    async def next_info(self, search: Search) -> Optional[Info]:
        """The next `info` of a search, or None when it has ended."""
        search.is_interrupted = False
        try:
            async with self._lock:
                return None if search.has_ended else await self._read_info(search)
        except asyncio.CancelledError:
            search.is_interrupted = True
            raise

    def stop(self, search: Search, timeout: float) -> None:
        """Tells the engine to end a search. From then on it has a deadline."""
        if not search.has_ended and not search.is_stopped:
            search.left = search.patience = timeout
            search.waits_since = asyncio.get_running_loop().time()
            search.is_stopped = True
            self._send("stop", search)
            self.wire.wake()

    def interrupt(self) -> None:
        """Says that the caller of a search was interrupted, perhaps before it had the search."""
        if isinstance(self._open, Search):
            self._open.is_interrupted = True

    def _check(self) -> None:
        if self._is_closed:
            raise EngineTerminated("the engine has been closed")
        # Waiting would deadlock if the caller is the one who has to stop the search.
        if isinstance(self._open, Search) and not self._open.is_abandoned:
            raise EngineError("a search runs: stop it first")

    def _send(self, text: str, pending: Union[Reply, Search]) -> None:
        """Writes lines, which the engine then has to answer."""
        try:
            self.wire.send(text)
        except OSError:
            self._finish(pending)
            raise EngineTerminated("the engine has ended") from None
        self._open = pending

    def _finish(self, pending: Union[Reply, Search]) -> None:
        self._open = None
        if isinstance(pending, Search):
            pending.has_ended = True

    async def _end_what_is_open(self, timeout: float) -> None:
        """Ends what a caller has abandoned, and reads its last line."""
        self._check()
        pending = self._open
        if isinstance(pending, Search):
            self.stop(pending, timeout)
        elif isinstance(pending, Reply):
            pending.is_abandoned = True
            pending.lines.clear()
            if pending.is_counting:
                self._send("stop", pending)
        if pending is not None:
            await self._read(pending, timeout)

    async def _read(self, pending: Union[Reply, Search], timeout: float) -> None:
        """Reads to the end of a reply or of an abandoned search."""
        deadline = asyncio.get_running_loop().time() + timeout
        try:
            while not pending.take(await self._line(lambda: deadline, timeout)):
                pass
        except EngineError as failure:
            await self._fail(pending, failure)
            raise
        self._finish(pending)

    async def _read_info(self, search: Search) -> Optional[Info]:
        loop = asyncio.get_running_loop()
        search.waits_since = loop.time()
        info = None
        try:
            while info is None and not search.has_ended:
                info = search.read(await self._line(search.deadline, search.patience))
        except EngineError as failure:
            await self._fail(search, failure)
            raise
        finally:
            if search.left is not None:
                search.left -= loop.time() - search.waits_since
        if search.has_ended:
            self._finish(search)
        return info

    async def _fail(self, pending: Union[Reply, Search], failure: EngineError) -> None:
        """Ends what has failed. If more lines of it could follow, the engine is closed."""
        self._finish(pending)
        if isinstance(failure, (EngineTimeout, ProtocolError)):
            await self.close()

    async def _line(self, deadline: Deadline, patience: Optional[float]) -> str:
        """The next line before the deadline. The message of a timeout names `patience`, in seconds."""
        try:
            line = await self.wire.line(deadline)
        except asyncio.TimeoutError:
            raise EngineTimeout(f"the engine has not answered in {patience:g} s") from None
        if line is None:
            raise EngineTerminated("the engine has been closed" if self._is_closed else "the engine has ended")
        return line


async def _closed_with_the_loop(wire: Wire) -> AsyncGenerator[None, None]:
    """Closes the engine when the event loop shuts down its generators, or when nobody has this one."""
    try:
        yield
    finally:
        await wire.close()
