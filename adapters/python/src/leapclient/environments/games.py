"""Many games in play at once, on a pool of engine processes."""

import asyncio
import functools
import re
import weakref
from typing import Any, Coroutine, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from .. import diagram, protocol
from ..engine import UgiEngine, popen_ugi
from ..errors import Refused
from ..model import Board, Rules, Status
from ..sync import _Background
from .actions import Actions

T = TypeVar("T")
Array = npt.NDArray[Any]

# The two numbers of a status such as `men 12-12`, or a single one.
COUNTS = re.compile(r"([0-9]+)(?:-([0-9]+))?")
SQUARE = re.compile(r"[a-p](?:1[0-6]|[1-9])")
# What is asked about a position.
QUESTIONS = ["query fen", "query status", "query turn"]
# What the constant planes are divided by.
QUIET, REPETITIONS, PLIES, TURNS = 100, 3, 400, 2
REWARDS = {"p1win": (1.0, -1.0), "p2win": (-1.0, 1.0), "draw": (0.0, 0.0), "none": (0.0, 0.0)}


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


class Games:
    """`count` games in play, which are stepped together on `processes` engine processes.

    Each game has a player to move. An action is the number of a token in `actions`; `masks` tells which are legal. A
    move may take several actions. Rewards are 1, -1 and 0, at the end of a game. A game that is over begins again with
    the next step, which ignores its action, as in the vector environments of Gymnasium.

    An observation has planes of the size of the board, as `planes` names them, for the player who looks. Index 0 of the
    last two axes is rank 1 and file a. With a `fen` all games begin at that position. `close` ends the engines.
    """

    def __init__(self, game: str, count: int = 1, processes: int = 1, options: Optional[Mapping[str, object]] = None,
                 command: Union[str, Sequence[str], None] = None, fen: Optional[str] = None,
                 timeout: float = 10.0) -> None:
        if not 1 <= processes <= count:
            raise ValueError(f"expected 1 to {count} processes for {count} games, found {processes}")
        self.count = count
        self.pool = Pool(command, processes, timeout)
        try:
            self._set_up(game, dict(options or {}), fen)
        except BaseException:
            self.close()
            raise

    def _set_up(self, game: str, options: Dict[str, object], fen: Optional[str]) -> None:
        pool = self.pool
        for engine in pool.engines:
            pool.run(engine.configure({"Game": game, **options}))
        engine = pool.engines[0]
        # The rule options by name, and the id of the game under `Game`.
        self.settings: Dict[str, str] = pool.run(engine.game())
        self.board: Board = pool.run(engine.board())
        try:
            self.rules: Optional[Rules] = pool.run(engine.rules())
        except Refused:
            self.rules = None
        self.actions = Actions(self.board, self.rules)
        self._square_numbers = {square: number for number, square in enumerate(self.actions.squares)}
        # Piece 0 is an empty square.
        self._piece_numbers = {"": 0, **{piece.text: 1 + n for n, piece in enumerate(self.board.pieces)}}
        self._pieces_of = functools.lru_cache(1 << 14)(self._read_rank)
        self.first = self._ask_starts([fen])[0]
        status = protocol.status(self.first.status)
        self._counts = [key for key, value in status.game.items() if COUNTS.fullmatch(value)]
        self.planes, self._plane_of = self._lay_out()
        # Who is to move in each game: 0 for player 1.
        self.players: Array = np.zeros(self.count, np.int8)
        self.masks: Array = np.zeros((self.count, len(self.actions)), np.int8)
        self.over: Array = np.zeros(self.count, np.bool_)
        self._plays = [Play(self, self.first, index) for index in range(self.count)]
        self._gather()

    def _ask_starts(self, fens: Sequence[Optional[str]]) -> List[Start]:
        """How games begin at position texts, or at the start position for None."""
        commands = ["position startpos" if fen is None else f"position fen {fen}" for fen in fens]
        asked = [line for command in commands for line in (command, *QUESTIONS)]
        answers = iter(self.pool.ask([asked, *([] for _ in self.pool.engines[1:])])[0])
        return [Start(command, next(answers), next(answers), next(answers)) for command in commands]

    def _read_rank(self, text: str) -> bytes:
        """The number of the piece on each square of a rank of a position text."""
        found = bytearray()
        for token in diagram.TOKEN.findall(text):
            found += bytes(int(token)) if token.isdigit() else bytes([self._piece_numbers[token]])
        return bytes(found)

    def _read_pieces(self, board: str) -> bytes:
        """The number of the piece on each square."""
        return b"".join([self._pieces_of(rank) for rank in board.split("/")[::-1]])

    def _lay_out(self) -> Tuple[Tuple[str, ...], Array]:
        """The names of the planes, and for each player the plane of each piece."""
        kinds = sorted(self.board.pieces, key=lambda piece: piece.name)
        owned = {owner: [kind for kind in kinds if kind.owner == owner] for owner in ("p1", "p2", "none")}
        own = [f"own {kind.name}" for kind in owned["p1"]]
        other = [f"other {kind.name}" for kind in owned["p2"]]
        names = ["empty", *own, *other, *(kind.name for kind in owned["none"])]
        places = np.zeros((2, len(self._piece_numbers)), np.intp)
        for player, order in enumerate((("p1", "p2", "none"), ("p2", "p1", "none"))):
            for plane, kind in enumerate((kind for owner in order for kind in owned[owner]), 1):
                places[player, self._piece_numbers[kind.text]] = plane
        self._first_feature = len(names) + 2
        counts = [f"{whose} {key}" for key in self._counts for whose in ("own", "other")]
        constant = ["to move", "player 1", "drops", "turns", "quiet", "repetitions", "ply", *counts]
        return (*names, "route", "here", *constant), places

    def close(self) -> None:
        """Ends the engine processes."""
        self.pool.close()

    def __enter__(self) -> "Games":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reset(self, fens: Optional[Sequence[str]] = None) -> None:
        """Begins all games again. With `fens`, each game begins at its own position text from now on."""
        starts = [self.first] * self.count if fens is None else self._ask_starts(fens)
        if len(starts) != self.count:
            raise ValueError(f"expected {self.count} position texts, found {len(starts)}")
        for play, start in zip(self._plays, starts):
            play.begin(start)
        self._gather()

    def _gather(self) -> None:
        """Sets the arrays by what the games are now. One assignment for all games is fast."""
        size = len(self.actions)
        legal = [play.index * size + action for play in self._plays for action in play.legal]
        self.masks = np.zeros((self.count, size), np.int8)
        self.masks.reshape(-1)[legal] = 1
        self.players = np.array([play.player for play in self._plays], np.int8)
        self.over = np.array([play.status.over for play in self._plays], np.bool_)

    def step(self, actions: Sequence[int]) -> Tuple[Array, Array]:
        """Takes an action in each game, and returns the rewards of both players and which games are over.

        `rewards` has the shape (count, 2). `ValueError` names the first illegal action, and nothing has changed then.
        """
        if len(actions) != self.count:
            raise ValueError(f"expected {self.count} actions, found {len(actions)}")
        for play, action in zip(self._plays, actions):
            play.check(action)
        engines = len(self.pool.engines)
        commands: List[List[str]] = [[] for _ in range(engines)]
        asked = []
        for play, action in zip(self._plays, actions):
            if self.over[play.index]:
                play.begin(play.start)
            else:
                commands[play.index % engines] += play.take(action)
                asked.append(play)
        answers = [iter(found) for found in self.pool.ask(commands)] if asked else []
        for play in asked:
            play.read(answers[play.index % engines])
        self._gather()
        rewards = np.zeros((self.count, 2), np.float32)
        for index in np.flatnonzero(self.over):
            rewards[index] = REWARDS[self._plays[index].status.result]
        return rewards, self.over.copy()

    def observe(self, players: Optional[Sequence[int]] = None) -> Array:
        """The planes of each game, shape (count, planes, ranks, files), for those to move or for the `players`."""
        return self.draw(self._plays, self.players.tolist() if players is None else players)

    def draw(self, plays: "Sequence[Play]", players: Sequence[int]) -> Array:
        """The planes of some games, each for a player."""
        count, squares, first = len(plays), len(self.actions.squares), self._first_feature
        found = np.zeros((count, len(self.planes), squares), np.float32)
        pieces = np.frombuffer(b"".join([play.pieces for play in plays]), np.uint8).reshape(count, squares)
        seen = np.asarray(players, np.intp)
        np.put_along_axis(found, self._plane_of[seen[:, None], pieces][:, None, :], 1.0, axis=1)
        for index, play in enumerate(plays):
            if play.route:
                found[index, first - 2, play.route] = 1.0
                found[index, first - 1, play.route[-1]] = 1.0
        features = np.array([play.features(player) for play, player in zip(plays, players)], np.float32)
        found[:, first:] = np.minimum(features, 1.0)[:, :, None]
        return found.reshape(count, len(self.planes), self.board.ranks, self.board.files)

    def status(self, index: int = 0) -> Status:
        """How a game stands."""
        return self._plays[index].status

    def moves(self, index: int = 0) -> List[str]:
        """The moves of a game so far."""
        return list(self._plays[index].moves)

    def entered(self, index: int = 0) -> str:
        """What has been entered of the move in a game."""
        return self._plays[index].entered

    def text(self, index: int = 0) -> str:
        """The board of a game in letters, before the move that is being entered."""
        return diagram.text(self._plays[index].fen, self.board)


class Play:
    """One of the games."""

    def __init__(self, games: Games, start: Start, index: int = 0) -> None:
        self.games = games
        self.index = index
        self.begin(start)

    def begin(self, start: Start) -> None:
        """Begins the game again."""
        self.start = start
        self.moves: List[str] = []
        self.settle(start.fen, start.status, start.turn)

    def check(self, action: int) -> None:
        """Refuses an action that is not legal."""
        if action not in self.legal and not self.status.over:
            tokens = self.games.actions.tokens
            what = tokens[action] if 0 <= action < len(tokens) else str(action)
            raise ValueError(f"expected a legal action in game {self.index}, found {what}")

    def take(self, action: int) -> List[str]:
        """Takes an action, and returns what to ask the engine then."""
        token = self.games.actions.tokens[action]
        self.asked = self.entered if token == "end" else self.entered + token
        self.is_whole = token == "end" or token in self.last
        if self.is_whole:
            self.moves.append(self.asked)
        setup = f"{self.start.command} moves {' '.join(self.moves)}" if self.moves else self.start.command
        return [setup, *QUESTIONS] if self.is_whole else [setup, f"query turn {self.asked}"]

    def read(self, answers: Iterator[str]) -> None:
        """Takes the answers to these questions."""
        if self.is_whole:
            self.settle(next(answers), next(answers), next(answers))
        else:
            self.enter(next(answers))

    def settle(self, fen: str, status: str, turn: str) -> None:
        """Takes the position after a move."""
        self.fen = fen
        board, _, extra, *_ = fen.split(" ")
        self.settled = self.games._read_pieces(board)
        self.turns = int(extra) if extra.isdigit() else 0
        self.status = protocol.status(status)
        self.player = int(self.status.turn == "p2")
        counts = [COUNTS.fullmatch(self.status.game[key]) for key in self.games._counts]
        scale = len(self.games.actions.squares)
        self.counts = [(int(match[1]) / scale, int(match[2] or match[1]) / scale) for match in counts if match]
        self.enter(turn)

    def enter(self, text: str) -> None:
        """Takes what has been entered of a move, and what may follow."""
        turn = protocol.turn(text)
        number = self.games.actions.number
        self.entered = turn.entered
        self.drops = turn.drops
        # The tokens that end the move by themselves.
        self.last = {token.token for token in turn.next if token.completes}
        self.legal = [number(token.token) for token in turn.next]
        if turn.move is not None:
            self.legal.append(number("end"))
        self.route = [self.games._square_numbers[square] for square in SQUARE.findall(turn.entered)]
        self.pieces = self._after(turn.steps) if turn.steps else self.settled

    def _after(self, steps: Sequence[Tuple[str, str]]) -> bytes:
        """The pieces after what the entered part of a move does."""
        pieces = bytearray(self.settled)
        begin = 0
        for key, place in steps:
            if key == "points":
                continue
            name, _, piece = place.partition("=")
            square = self.games._square_numbers[name]
            if key == "from":
                begin = square
            elif key == "to":
                pieces[square], pieces[begin] = pieces[begin], 0
            elif key in ("captured", "removed"):
                pieces[square] = 0
            elif key in ("flipped", "dropped"):
                pieces[square] = self.games._piece_numbers[piece]
        return bytes(pieces)

    def features(self, player: int) -> Tuple[float, ...]:
        """The values of the constant planes for a player, not yet cut at 1."""
        status = self.status
        sides = [count for pair in self.counts for count in (pair if player == 0 else pair[::-1])]
        return (float(player == self.player), 1.0 - player, self.drops / TURNS, self.turns / TURNS,
                status.quiet / QUIET, status.repetitions / REPETITIONS, status.ply / PLIES, *sides)
