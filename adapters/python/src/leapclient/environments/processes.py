"""Games on a pool of engine processes, by the engines' own answers."""

import asyncio
import copy
import functools
import re
import weakref
from typing import Any, Coroutine, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np

from .. import diagram, protocol
from ..engine import UgiEngine, popen_ugi
from ..errors import Refused
from ..model import Board, Rules
from ..sync import _Background
from .actions import Actions
from .source import Rows

T = TypeVar("T")

# The two numbers of a status such as `men 12-12`, or a single one.
COUNTS = re.compile(r"([0-9]+)(?:-([0-9]+))?")
# What is asked about a position.
QUESTIONS = ["query fen", "query status", "query turn"]
RESULTS = {"p1win": 1, "p2win": -1, "draw": 0, "none": 0}


class Start(NamedTuple):
    """How a game begins: the command, and the answers of the engine there."""

    command: str
    fen: str
    status: str
    turn: str


class Pool:
    """Engines that answer at the same time."""

    def __init__(self, command: Union[str, Sequence[str], None], processes: int, timeout: float) -> None:
        self._background = _Background()
        # Also for a pool that nobody closes.
        self.close = weakref.finalize(self, self._background.end)
        self.engines: List[UgiEngine] = []
        try:
            for _ in range(processes):
                self.engines.append(self.run(popen_ugi(command, timeout)))
        except BaseException:
            self.close()
            raise

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the loop of the engines."""
        return self._background.run(work)

    def ask(self, commands: Sequence[Sequence[str]]) -> List[List[str]]:
        """The answers of each engine to its questions. `position` has no answer. An error line is raised."""
        questions = [[command for command in asked if command.startswith("query ")] for asked in commands]
        replies = self.run(self._ask(commands))
        return [protocol.responses(protocol.checked(lines), asked) for lines, asked in zip(replies, questions)]

    async def _ask(self, commands: Sequence[Sequence[str]]) -> List[List[str]]:
        return await asyncio.gather(*(
            engine._conversation.ask(asked or ["isready"], "", engine.timeout)
            for engine, asked in zip(self.engines, commands)))


class Processes:
    """A source of games of an engine, on `processes` processes."""

    def __init__(self, game: str, options: Mapping[str, object], command: Union[str, Sequence[str], None],
                 processes: int, timeout: float) -> None:
        self.pool = Pool(command, processes, timeout)
        try:
            self._set_up(game, options)
        except BaseException:
            self.close()
            raise

    def _set_up(self, game: str, options: Mapping[str, object]) -> None:
        pool = self.pool
        for engine in pool.engines:
            pool.run(engine.configure({"Game": game, **options}))
        engine = pool.engines[0]
        self.settings: Dict[str, str] = pool.run(engine.game())
        self.board: Board = pool.run(engine.board())
        try:
            self.rules: Optional[Rules] = pool.run(engine.rules())
        except Refused:
            self.rules = None
        self.actions = Actions(self.board, self.rules)
        self.square_numbers = {square: number for number, square in enumerate(self.actions.squares)}
        # Piece 0 is an empty square.
        self.piece_numbers = {"": 0, **{piece.text: 1 + n for n, piece in enumerate(self.board.pieces)}}
        self._pieces_of = functools.lru_cache(1 << 14)(self._read_rank)

    def _read_rank(self, text: str) -> bytes:
        """The number of the piece on each square of a rank of a position text."""
        found = bytearray()
        for token in diagram.TOKEN.findall(text):
            found += bytes(int(token)) if token.isdigit() else bytes([self.piece_numbers[token]])
        return bytes(found)

    def read_pieces(self, board: str) -> bytes:
        """The number of the piece on each square."""
        return b"".join([self._pieces_of(rank) for rank in board.split("/")[::-1]])

    def close(self) -> None:
        """Ends the engine processes."""
        self.pool.close()

    def start(self, fens: Sequence[Optional[str]]) -> "List[ProcessPlay]":
        """Games that begin at these position texts, or at the start position for None."""
        commands = ["position startpos" if fen is None else f"position fen {fen}" for fen in fens]
        asked = [line for command in commands for line in (command, *QUESTIONS)]
        answers = iter(self.pool.ask([asked, *([] for _ in self.pool.engines[1:])])[0])
        starts = [Start(command, next(answers), next(answers), next(answers)) for command in commands]
        return [ProcessPlay(self, start) for start in starts]

    def step(self, plays: "Sequence[ProcessPlay]", actions: Sequence[int]) -> None:
        """Takes an action in each game."""
        for index, (play, action) in enumerate(zip(plays, actions)):
            play.check(action, index)
        engines = len(self.pool.engines)
        commands: List[List[str]] = [[] for _ in range(engines)]
        asked = []
        for index, (play, action) in enumerate(zip(plays, actions)):
            if play.over:
                play.restart()
            else:
                commands[index % engines] += play.take(action)
                asked.append((play, index % engines))
        answers = [iter(found) for found in self.pool.ask(commands)] if asked else []
        for play, engine in asked:
            play.read(answers[engine])

    def rows(self, plays: "Sequence[ProcessPlay]") -> Rows:
        """The games as numbers. One assignment for all games is fast."""
        count, size = len(plays), len(self.actions)
        masks = np.zeros((count, size), np.int8)
        masks.reshape(-1)[[index * size + action for index, play in enumerate(plays) for action in play.legal]] = 1
        pieces = np.frombuffer(b"".join([play.pieces for play in plays]), np.uint8).reshape(count, -1)
        route = np.zeros(pieces.shape, np.int8)
        for index, play in enumerate(plays):
            if play.route:
                route[index, play.route] = 1
                route[index, play.route[-1]] = 2
        return Rows(masks, pieces, route, np.array([play.numbers() for play in plays], np.int32))


class ProcessPlay:
    """One of the games."""

    def __init__(self, source: Processes, start: Start) -> None:
        self._source = source
        self._start = start
        self.restart()

    def restart(self) -> None:
        """Begins the game again."""
        self.moves: List[str] = []
        self._settle(self._start.fen, self._start.status, self._start.turn)

    def copy(self) -> "ProcessPlay":
        """A game of its own with the same moves."""
        copied = copy.copy(self)
        copied.moves = list(self.moves)
        return copied

    def check(self, action: int, index: int) -> None:
        """Refuses an action that is not legal. The message has the index of the game."""
        if action not in self.legal and not self.over:
            tokens = self._source.actions.tokens
            what = tokens[action] if 0 <= action < len(tokens) else str(action)
            raise ValueError(f"expected a legal action in game {index}, found {what}")

    def take(self, action: int) -> List[str]:
        """Takes an action, and returns what to ask the engine then."""
        token = self._source.actions.tokens[action]
        self._asked = self.entered if token == "end" else self.entered + token
        self._is_whole = token == "end" or token in self._last
        if self._is_whole:
            self.moves.append(self._asked)
        command = self._start.command
        setup = f"{command} moves {' '.join(self.moves)}" if self.moves else command
        return [setup, *QUESTIONS] if self._is_whole else [setup, f"query turn {self._asked}"]

    def read(self, answers: Iterator[str]) -> None:
        """Takes the answers to these questions."""
        if self._is_whole:
            self._settle(next(answers), next(answers), next(answers))
        else:
            self._enter(next(answers))

    def _settle(self, fen: str, status: str, turn: str) -> None:
        """Takes the position after a move."""
        self.fen, self.status = fen, status
        board, _, extra, *_ = fen.split(" ")
        self._settled = self._source.read_pieces(board)
        found = protocol.status(status)
        self.over = found.over
        self.player = int(found.turn == "p2")
        self.result = RESULTS[found.result]
        counts = [match for value in found.game.values() if (match := COUNTS.fullmatch(value))]
        pairs = [int(number) for match in counts for number in (match[1], match[2] or match[1])]
        turns = int(extra) if extra.isdigit() else 0
        self._counts = (turns, found.quiet, found.repetitions, found.ply, *pairs)
        self._enter(turn)

    def _enter(self, text: str) -> None:
        """Takes what has been entered of a move, and what may follow."""
        turn = protocol.turn(text)
        number = self._source.actions.number
        self.entered = turn.entered
        self._drops = turn.drops
        # The tokens that end the move by themselves.
        self._last = {token.token for token in turn.next if token.completes}
        self.legal = [number(token.token) for token in turn.next]
        if turn.move is not None:
            self.legal.append(number("end"))
        self.route = [self._source.square_numbers[square] for square in protocol.SQUARE.findall(turn.entered)]
        self.pieces = self._after(turn.steps) if turn.steps else self._settled

    def _after(self, steps: Sequence[Tuple[str, str]]) -> bytes:
        """The pieces after what the entered part of a move does."""
        pieces = bytearray(self._settled)
        begin = 0
        for key, place in steps:
            if key == "points":
                continue
            name, _, piece = place.partition("=")
            square = self._source.square_numbers[name]
            if key == "from":
                begin = square
            elif key == "to":
                pieces[square], pieces[begin] = pieces[begin], 0
            elif key in ("captured", "removed"):
                pieces[square] = 0
            elif key in ("flipped", "dropped"):
                pieces[square] = self._source.piece_numbers[piece]
        return bytes(pieces)

    def numbers(self) -> Tuple[int, ...]:
        """The row of `Rows.numbers`."""
        return (self.player, int(self.over), self.result, self._drops, *self._counts)
