"""The process of an engine and its pipes. Every wait has a deadline, and unread output has a bound."""

import asyncio
import contextlib
import os
import signal
import sys
from typing import Optional, Sequence, cast

from .errors import ProtocolError

# The longest line of an engine, in bytes, with a carriage return (SPEC 2.2, 2.6).
LINE_BYTES = (1 << 20) + 1
# How long a killed process is waited for, in seconds.
END_PATIENCE = 5.0


class Wire(asyncio.SubprocessProtocol):
    """Lines to and from an engine. A deadline is a time of the event loop."""

    def __init__(self) -> None:
        self._process: asyncio.SubprocessTransport
        self._received = bytearray()
        # The received bytes up to here have no line end.
        self._searched = 0
        self._paused = False
        self._ended = False
        self._deaf = False
        self._news = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._exited = asyncio.Event()
        self._closed = asyncio.Event()

    @classmethod
    async def start(cls, words: Sequence[str]) -> "Wire":
        """Starts a program in its own process group."""
        loop = asyncio.get_running_loop()
        _, wire = await loop.subprocess_exec(cls, *words, stderr=None, start_new_session=True)
        return wire

    async def line(self, deadline: Optional[float]) -> Optional[str]:
        """The next line without its end, or None when the output has ended.

        Raises `asyncio.TimeoutError` at the deadline, however much the engine writes.
        """
        loop = asyncio.get_running_loop()
        while True:
            # Gives other tasks a turn, even while the engine floods.
            await asyncio.sleep(0)
            left = None if deadline is None else deadline - loop.time()
            if left is not None and left <= 0:
                raise asyncio.TimeoutError
            end = self._received.find(b"\n", self._searched)
            if (end if end >= 0 else len(self._received)) > LINE_BYTES:
                raise ProtocolError(f"expected lines of at most {LINE_BYTES} bytes, found a longer one")
            if end >= 0 or self._ended:
                return self._take(end)
            self._searched = len(self._received)
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), left)

    def _take(self, end: int) -> Optional[str]:
        """Takes the bytes received up to this line end, or up to the end of the output."""
        line = bytes(self._received[:end] if end >= 0 else self._received)
        if end < 0 and not line:
            return None
        del self._received[:len(line) + 1]
        self._searched = 0
        self._pause_while_full()
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            raise ProtocolError(f"expected UTF-8, found {line[:200]!r}") from None

    async def send(self, line: str, timeout: float) -> None:
        """Writes a line. Raises `asyncio.TimeoutError` if the engine does not read, `OSError` if it has ended."""
        pipe = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
        if not self._deaf and not pipe.is_closing():
            pipe.write(line.encode() + b"\n")
            await asyncio.wait_for(self._writable.wait(), timeout)
        if self._deaf or pipe.is_closing():
            raise BrokenPipeError

    async def close(self) -> None:
        """Kills the process and its group. Windows has no groups: there it kills the process alone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.get_pid(), signal.SIGKILL)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._exited.wait(), END_PATIENCE)
        # Otherwise the loop would wait for unread input, and for other processes that have the pipes.
        stdin = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
        if not stdin.is_closing():
            stdin.abort()
        self._process.close()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._closed.wait(), END_PATIENCE)

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
            self._writable.set()
        else:
            self._ended = True
            self._news.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def process_exited(self) -> None:
        self._exited.set()

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._closed.set()
