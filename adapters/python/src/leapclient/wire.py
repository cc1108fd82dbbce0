"""The process of an engine and its pipes. Every wait has a deadline, and unread output has a bound."""

import asyncio
import contextlib
import os
import signal
import sys
from typing import Callable, Optional, Sequence, cast

from .errors import ProtocolError

# The longest line of an engine, in bytes, with a carriage return (SPEC 2.2, 2.6).
LINE_BYTES = (1 << 20) + 1
# How long a killed process is waited for, in seconds.
END_PATIENCE = 5.0

# A time of the event loop, asked for again when the wire is woken. None is no deadline.
Deadline = Callable[[], Optional[float]]


async def until(event: asyncio.Event, deadline: Optional[float]) -> None:
    """Waits for the event, which is set at the deadline too.

    `asyncio.wait_for` of Python 3.9 to 3.11 loses a cancellation that comes together with the event. This does not.
    """
    timer = None if deadline is None else asyncio.get_running_loop().call_at(deadline, event.set)
    try:
        await event.wait()
    finally:
        if timer is not None:
            timer.cancel()


class Wire(asyncio.SubprocessProtocol):
    """Lines to and from an engine."""

    def __init__(self) -> None:
        self._process: asyncio.SubprocessTransport
        self._received = bytearray()
        # The received bytes up to here have no line end.
        self._searched = 0
        self._paused = False
        self._ended = False
        self._deaf = False
        self._news = asyncio.Event()
        self._exited = asyncio.Event()
        self._closed = asyncio.Event()
        self._end: Optional[asyncio.Task[None]] = None

    @classmethod
    async def start(cls, words: Sequence[str]) -> "Wire":
        """Starts a program in its own process group."""
        loop = asyncio.get_running_loop()
        _, wire = await loop.subprocess_exec(cls, *words, stderr=None, start_new_session=True)
        return wire

    async def line(self, deadline: Deadline) -> Optional[str]:
        """The next line without its end, or None when the output has ended.

        Raises `asyncio.TimeoutError` at the deadline, however much the engine writes.
        """
        loop = asyncio.get_running_loop()
        while True:
            # Gives other tasks a turn, even while the engine floods.
            await asyncio.sleep(0)
            latest = deadline()
            if latest is not None and latest <= loop.time():
                raise asyncio.TimeoutError
            end = self._received.find(b"\n", self._searched)
            if (end if end >= 0 else len(self._received)) > LINE_BYTES:
                raise ProtocolError(f"expected lines of at most {LINE_BYTES} bytes, found a longer one")
            if end >= 0 or self._ended:
                return self._take(end)
            self._searched = len(self._received)
            self._news.clear()
            await until(self._news, latest)

    def wake(self) -> None:
        """Has `line` ask for its deadline again."""
        self._news.set()

    def _take(self, end: int) -> Optional[str]:
        """Takes the bytes received up to this line end, or up to the end of the output."""
        line = bytes(self._received[:end] if end >= 0 else self._received)
        if end < 0 and not line:
            return None
        del self._received[:len(line) + 1]
        self._searched = 0
        self._pause_while_full()
        try:
            return line.decode().strip(" \t\r")
        except UnicodeDecodeError:
            raise ProtocolError(f"expected UTF-8, found {line[:200]!r}") from None

    def send(self, text: str) -> None:
        """Writes lines, all of them or none. Raises `OSError` if the engine has ended."""
        pipe = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
        if self._deaf or pipe.is_closing():
            raise BrokenPipeError
        pipe.write(text.encode() + b"\n")

    async def close(self) -> None:
        """Kills the process and its group. Windows has no groups: there it kills the process alone.

        A caller that is cancelled leaves the rest of the work to a task.
        """
        if self._end is None:
            self._kill()
        if self._end is None or self._end.cancelled():
            self._end = asyncio.get_running_loop().create_task(self._wait_for_the_end())
        await asyncio.shield(self._end)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.get_pid(), signal.SIGKILL)

    async def _wait_for_the_end(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await until(self._exited, loop.time() + END_PATIENCE)
        finally:
            # Otherwise the loop would wait for unread input, and for other processes that have the pipes.
            stdin = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
            if not stdin.is_closing():
                stdin.abort()
            self._process.close()
        await until(self._closed, loop.time() + END_PATIENCE)

    def _pause_while_full(self) -> None:
        """Stops reading while more than the longest line is unread. The engine then blocks on its pipe."""
        pipe = cast(asyncio.ReadTransport, self._process.get_pipe_transport(1))
        is_full = len(self._received) > LINE_BYTES
        if is_full == self._paused or pipe.is_closing():
            return
        self._paused = is_full
        if is_full:
            pipe.pause_reading()
        else:
            pipe.resume_reading()

    # The methods that the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._received += data
        self._pause_while_full()
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Optional[Exception]) -> None:
        if fd == 0:
            self._deaf = True
        else:
            self._ended = True
            self._news.set()

    def process_exited(self) -> None:
        self._exited.set()

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._closed.set()
