"""The engine process and the conversation with it, for asyncio."""

import contextlib
import importlib.metadata
import os
import shutil
import weakref
from typing import TYPE_CHECKING, AsyncIterator, Dict, List, Mapping, Optional, Sequence, Union

from . import protocol
from .conversation import Conversation, Search, log
from .errors import EngineError, EngineNotFound, EngineNotStarted, ProtocolError, Refused, visible
from .model import (
    Board, Effects, Info, Legality, Limit, Moves, Option, PlayResult, Problem, Rules, Status, Turn, Values)
from .wire import Wire

if TYPE_CHECKING:
    from .position import Position

# The most moves and lines that `analyse` keeps.
KEPT_MOVES = 1 << 16
# How often a question about a position is asked again, because another caller has changed the engine's game.
AGREEMENTS = 5


def _installed() -> str:
    """The path of the `leapd` that this package brings, or else of the first one in PATH."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("leapd") or ():
            program = str(file.locate())
            if file.name in ("leapd", "leapd.exe") and os.path.isfile(program):
                return program
    found = shutil.which("leapd")
    if found is None:
        raise EngineNotFound("expected leapd beside this package or in PATH, found none: name an engine")
    return found


async def popen_ugi(command: Union[str, Sequence[str], None] = None, timeout: float = 10.0) -> "UgiEngine":
    """Starts an engine in its own process group. Without a command, this is the installed leapd.

    No reply may take longer than `timeout` seconds, even if the engine writes other lines meanwhile.
    """
    words = [_installed()] if command is None else [command] if isinstance(command, str) else list(command)
    if not words or not words[0]:
        raise EngineNotStarted("expected the program of an engine, found an empty command")
    try:
        wire = await Wire.start(words)
    except (OSError, ValueError) as error:
        kind = EngineNotFound if isinstance(error, FileNotFoundError) else EngineNotStarted
        reason = getattr(error, "strerror", None) or error
        raise kind(visible(f"expected the program of an engine, found {words[0]!r}: {reason}")) from error
    engine = UgiEngine(wire, timeout)
    try:
        await engine._conversation.start()
        await engine.handshake()
    except BaseException:
        await engine.close()
        raise
    return engine


class UgiEngine:
    """An engine for asyncio. It has the methods of `Engine`, which are awaited here, and the methods below.

    While an analysis runs, other requests raise `EngineError`. But the next request stops an analysis that nobody has
    any more, or whose reading was cancelled. `id` holds the lines `id name` and `id author`, and `options` the engine's
    options by name.
    """

    def __init__(self, wire: Wire, timeout: float) -> None:
        self._wire = wire
        self._conversation = Conversation(wire)
        self.timeout = timeout
        self.id: Dict[str, str] = {}
        self.options: Dict[str, Option] = {}

    async def __aenter__(self) -> "UgiEngine":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Kills the engine and its process group. Later calls raise `EngineTerminated`.

        Windows has no groups: there it kills the engine alone.
        """
        await self._conversation.close()

    async def handshake(self) -> None:
        """Asks the engine for its name and options. `popen_ugi` has already called this.

        An option line that cannot be read is left out of `options`, and the logger `leapclient` warns of it.
        """
        skipped, first = 0, ""
        for line in await self.command("ugi", "ugiok"):
            words = protocol.split(line)
            if words[0] == "id" and len(words) > 2:
                self.id[words[1]] = " ".join(words[2:])
            elif words[0] == "option":
                try:
                    option = protocol.option(line)
                except ProtocolError as error:
                    skipped += 1
                    first = first or str(error)
                else:
                    self.options[option.name] = option
        with contextlib.suppress(Refused, ProtocolError):
            self._conversation.counts_plies = not (await self.query("protocol")).startswith("leap 1.")
        if skipped:
            log.warning("skipped %d option lines: %s", skipped, visible(first))

    async def command(self, line: str, last: str = "readyok", timeout: Optional[float] = None) -> List[str]:
        """Sends any command but `go`, and returns the lines of its reply before the line `last`.

        An error line in the reply is raised as an exception. `timeout` replaces the engine's own for this command, such
        as a long `perft`.
        """
        lines = await self._conversation.ask([line], last, self.timeout if timeout is None else timeout)
        return protocol.checked(lines)

    async def query(self, question: str) -> str:
        """Asks a query, and returns its answer without the word `response`."""
        return protocol.response(await self.command("query " + question), "query " + question)

    async def configure(self, options: Mapping[str, object]) -> None:
        """Sets options. A value is True, False, a number or a text. The value None presses a button."""
        for name, value in options.items():
            text = protocol.option_value(value)
            text = text if text.strip() else "<empty>"
            await self.command(f"setoption name {name}" + ("" if value is None else f" value {text}"))

    async def new_game(self) -> None:
        """Sets up the start position, and tells the engine that a new game begins."""
        await self.command("uginewgame")

    async def position(self, fen: Optional[str] = None, moves: Sequence[str] = ()) -> None:
        """Sets up a position text, or the start position if there is none, and plays the moves."""
        start = "startpos" if fen is None else "fen " + fen
        await self.command(" ".join(["position", start, *(["moves", *moves] if moves else [])]))

    async def move(self, *moves: str) -> None:
        """Makes all the moves. If one of them is illegal, none is made."""
        await self.command(" ".join(["move", *moves]))

    async def undo(self, count: int = 1) -> None:
        """Takes back moves."""
        await self.command(f"undo {count}")

    async def analysis(self, limit: Limit = Limit(), timeout: Optional[float] = None,
                       position: "Optional[Position]" = None) -> "Analysis":
        """Starts a search, and lets you read its lines one by one. `async with` or `stop` ends the search.

        `timeout` limits the total time that the client waits for the engine: beyond it the engine is killed. By
        default a search by time or clock may take the engine's own `timeout` longer. Other searches have no deadline.
        With a `position` the engine is set to its game and rule options, and searches it.
        """
        return Analysis(self, await self._search(limit, timeout, position))

    async def _search(self, limit: Limit, timeout: Optional[float], position: "Optional[Position]") -> Search:
        setup = []
        if position is not None:
            await self._agree(position.settings, await self.game())
            setup = [position.command()]
        clock = max((time or 0.0 for time in (limit.p1_clock, limit.p2_clock)), default=0.0)
        is_timed = limit.time is not None or clock > 0
        # A search by depth or nodes alone, or without limits, may take any time.
        patience = (limit.time or clock) + self.timeout if is_timed and timeout is None else timeout
        return await self._conversation.search(limit.go(), setup, patience, self.timeout)

    async def _agree(self, settings: Mapping[str, str], found: Mapping[str, str]) -> None:
        """Sets the game and its rule options, where `query game` has found other ones."""
        if found.get("Game") != settings["Game"]:
            await self.configure({"Game": settings["Game"]})
            found = await self.game()
        await self.configure({name: value for name, value in settings.items() if found.get(name) != value})

    async def _answers(
            self, settings: Mapping[str, str], commands: Sequence[str], questions: Sequence[str]) -> List[str]:
        """The answers to queries after commands, in a game with these rule options.

        All is one write, so that other callers change nothing between.
        """
        asked = ["query game", *commands, *(f"query {question}" for question in questions)]
        for _ in range(AGREEMENTS):
            lines = await self._conversation.ask(asked, "", self.timeout)
            found = protocol.game(protocol.response(lines[:1] and protocol.checked(lines[:1]), asked[0]))
            if found == settings:
                return protocol.responses(protocol.checked(lines), [asked[0], *asked[1 + len(commands):]])[1:]
            await self._agree(settings, found)
        raise EngineError(f"expected the game {settings['Game']}, found that another caller keeps changing it")

    async def analyse(self, limit: Limit, timeout: Optional[float] = None,
                      position: "Optional[Position]" = None) -> List[Info]:
        """Searches, and returns the last line of each rank (`MultiPV`), best first.

        A bound does not replace a score.
        """
        if limit.is_infinite:
            raise ValueError("expected a limit, found none: use analysis() to search until stopped")
        ranks: Dict[int, Info] = {}
        kept = 0
        async with await self.analysis(limit, timeout, position) as analysis:
            async for info in analysis:
                if info.score is not None:
                    old = ranks.get(info.multipv)
                    ranks[info.multipv] = protocol.better(old, info)
                    kept += 1 + len(ranks[info.multipv].pv) - (1 + len(old.pv) if old else 0)
                if kept > KEPT_MOVES:
                    raise ProtocolError(f"expected lines of at most {KEPT_MOVES} moves, found more")
        return [ranks[rank] for rank in sorted(ranks)]

    async def play(self, limit: Limit, timeout: Optional[float] = None,
                   position: "Optional[Position]" = None) -> PlayResult:
        """Searches, and returns the engine's move without making it."""
        if limit.is_infinite:
            raise ValueError("expected a limit, found none")
        async with await self.analysis(limit, timeout, position) as analysis:
            return await analysis.wait()

    async def protocol(self) -> List[str]:
        """The name and version of the protocol, and the extensions that the engine has (SPEC 4.5)."""
        return (await self.query("protocol")).split()

    async def p1_turn(self) -> bool:
        """Whether player 1 is to move."""
        return protocol.flag(await self.query("p1turn"))

    async def game_over(self) -> bool:
        """Whether the game is over."""
        return protocol.flag(await self.query("gameover"))

    async def result(self) -> str:
        """`p1win`, `p2win` or `draw`; `none` while the game goes on."""
        return protocol.one_of(protocol.RESULTS, await self.query("result"))

    async def fen(self) -> str:
        """The position as text (SPEC 9.7)."""
        return await self.query("fen")

    async def moves(self, limit: Optional[int] = None) -> Moves:
        """The legal moves, in listing order: at most `limit` of them, by default 10,000."""
        return protocol.moves(await self.query("moves" if limit is None else f"moves limit {limit}"))

    async def legal(self, move: str) -> Legality:
        """Whether a move is legal, and if not, why and at which square."""
        return protocol.legality(await self.query("legal " + move))

    async def status(self) -> Status:
        """Who is to move, whether the game is over and why, and the counts of the game."""
        return protocol.status(await self.query("status"))

    async def games(self) -> List[str]:
        """The ids of the games that the engine plays."""
        return (await self.query("games")).split()

    async def game(self) -> Dict[str, str]:
        """The rule options in force, by name, and the id of the game under `Game`."""
        return protocol.game(await self.query("game"))

    async def board(self) -> Board:
        """The layout of the board, and the kinds of pieces."""
        return protocol.board(await self.command("query board", "boardok"))

    async def next(self, partial: str = "") -> List[str]:
        """What may follow a partly entered move: squares, drops (`@c3`) or `end` (SPEC 4.24).

        Without an argument, these are the squares from which a move can start.
        """
        return (await self.query("next " + partial)).split()

    async def effects(self, move: str) -> Effects:
        """What a legal move does to the board, step by step."""
        return protocol.effects(await self.query("effects " + move))

    async def turn(self, text: str = "") -> Turn:
        """What a partly entered move does to the board, what may follow, and whether it may end, or why not."""
        return protocol.turn(await self.query("turn " + text))

    async def history(self) -> List[str]:
        """The moves made since the position that was set up last."""
        return list(protocol.moves(await self.query("history")).moves)

    async def rules(self, language: str = "en") -> Rules:
        """The rules of the game for people. If the engine lacks the language, they are in English."""
        return protocol.rules(await self.command(f"query rules {language}", "rulesok"))

    async def problems(self) -> List[Problem]:
        """Positions of the game with proved right moves, for people to solve."""
        return protocol.problems(await self.command("query problems", "problemsok"))

    async def value(self) -> Values:
        """What the engine knows exactly: who wins with perfect play, in the position and after each move."""
        return protocol.values(await self.query("value"))

    async def draw_offer(self) -> bool:
        """Offers a draw, and returns whether the engine accepts it.

        Raises `Refused` if the game has no draw by agreement.
        """
        return protocol.draw(await self.command("draw offer"))

    async def eval(self) -> Dict[str, int]:
        """The static evaluation for the side to move. The parts add up to `total`."""
        return protocol.evaluation(protocol.response(await self.command("eval"), "eval"))


class Analysis:
    """A running search. Use `async for` to read its `Info`s; await `stop` and `wait`."""

    def __init__(self, engine: UgiEngine, search: Search) -> None:
        self._engine = engine
        self._search = search
        search.handle = weakref.ref(self)

    async def __aenter__(self) -> "Analysis":
        return self

    async def __aexit__(self, *_: object) -> None:
        if not self._search.has_ended:
            await self.stop()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = await self._next()
        if info is None:
            raise StopAsyncIteration
        return info

    async def _next(self) -> Optional[Info]:
        """The next `info`, or None at the end of the search."""
        return await self._engine._conversation.next_info(self._search)

    async def wait(self) -> PlayResult:
        """Waits for the end of the search, and returns the result."""
        while await self._next() is not None:
            pass
        if self._search.result is None:
            raise ProtocolError("expected a bestmove, found none")
        return self._search.result

    async def stop(self) -> PlayResult:
        """Ends the search, and returns the result."""
        self._engine._conversation.stop(self._search, self._engine.timeout)
        return await self.wait()
