"""Many games in play at once, on a pool of engine processes."""

import asyncio
import functools
import re
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from .. import diagram, protocol
from ..engine import UgiEngine, popen_ugi
from ..errors import Refused
from ..model import Board, Rules, Status
from ..sync import _Background
from .actions import Actions

Array = npt.NDArray[Any]

# The two numbers of a status such as `men 12-12`, or a single one.
COUNTS = re.compile(r"([0-9]+)(?:-([0-9]+))?")
SQUARE = re.compile(r"[a-p](?:1[0-6]|[1-9])")
# What is asked about a position.
QUESTIONS = ["query fen", "query status", "query turn"]
# What the constant planes are divided by.
QUIET, REPETITIONS, PLIES, TURNS = 100, 3, 400, 2
REWARDS = {"p1win": (1.0, -1.0), "p2win": (-1.0, 1.0), "draw": (0.0, 0.0), "none": (0.0, 0.0)}


class Pool:
    """Engines that answer at the same time."""

    def __init__(self, command: Union[str, Sequence[str], None], processes: int, timeout: float) -> None:
        self._background = _Background()
        self.engines: List[UgiEngine] = []
        try:
            for _ in range(processes):
                self.engines.append(self._background.run(popen_ugi(command, timeout)))
        except BaseException:
            self._background.end()
            raise

    def ask(self, commands: Sequence[Sequence[str]]) -> List[List[str]]:
        """The answers of each engine to its questions. `position` has no answer. An error line is raised."""
        questions = [[command for command in asked if command.startswith("query ")] for asked in commands]
        replies = self._background.run(self._ask(commands))
        return [protocol.responses(protocol.checked(lines), asked) for lines, asked in zip(replies, questions)]

    async def _ask(self, commands: Sequence[Sequence[str]]) -> List[List[str]]:
        return await asyncio.gather(*(
            engine._conversation.ask(asked or ["isready"], "", engine.timeout)
            for engine, asked in zip(self.engines, commands)))

    def close(self) -> None:
        """Ends the engines."""
        self._background.end()


class Games:
    """`count` games in play, which are stepped together on `processes` engine processes.

    Each game has a player to move. An action is the number of a token in `actions`; `masks` tells which are legal. A
    move may take several actions. Rewards are 1, -1 and 0, at the end of a game. A game that is over begins again with
    the next step, which ignores its action, as in the vector environments of Gymnasium.

    An observation has planes of the size of the board, as `planes` names them, for the player who looks. Index 0 of the
    last two axes is rank 1 and file a. With a `fen` all games begin at that position.
    """

    def __init__(self, game: str, count: int = 1, processes: int = 1, options: Optional[Mapping[str, object]] = None,
                 command: Union[str, Sequence[str], None] = None, fen: Optional[str] = None,
                 timeout: float = 10.0) -> None:
        if not 1 <= processes <= count:
            raise ValueError(f"expected 1 to {count} processes for {count} games, found {processes}")
        self.count = count
        self._pool = Pool(command, processes, timeout)
        try:
            self._set_up(game, dict(options or {}), fen)
        except BaseException:
            self.close()
            raise

    def _set_up(self, game: str, options: Dict[str, object], fen: Optional[str]) -> None:
        pool = self._pool
        for engine in pool.engines:
            pool._background.run(engine.configure({"Game": game, **options}))
        engine = pool.engines[0]
        self.board: Board = pool._background.run(engine.board())
        try:
            self.rules: Optional[Rules] = pool._background.run(engine.rules())
        except Refused:
            self.rules = None
        self.actions = Actions(self.board, self.rules)
        self._square_numbers = {square: number for number, square in enumerate(self.actions.squares)}
        # Piece 0 is an empty square.
        self._piece_numbers = {"": 0, **{piece.text: 1 + n for n, piece in enumerate(self.board.pieces)}}
        self._pieces_of = functools.lru_cache(1 << 14)(self._read_rank)
        # How games begin, with the answers of the engine there.
        self._begin = "position startpos" if fen is None else f"position fen {fen}"
        [self._first, *_] = pool.ask([[self._begin, *QUESTIONS], *([] for _ in pool.engines[1:])])
        status = protocol.status(self._first[1])
        self._counts = [key for key, value in status.game.items() if COUNTS.fullmatch(value)]
        self.planes, self._plane_of = self._lay_out()
        squares, count = len(self.actions.squares), self.count
        # Who is to move in each game: 0 for player 1.
        self.players: Array = np.zeros(count, np.int8)
        self.masks: Array = np.zeros((count, len(self.actions)), np.int8)
        self.over: Array = np.zeros(count, np.bool_)
        self._pieces: Array = np.zeros((count, squares), np.uint8)
        self._routes: Array = np.zeros((count, 2, squares), np.float32)
        self._features: Array = np.zeros((count, 2, len(self.planes) - self._first_feature), np.float32)
        self._plays = [Play(self, index) for index in range(count)]
        self.reset()

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
        self._pool.close()

    def __enter__(self) -> "Games":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reset(self) -> None:
        """Begins all games again."""
        for play in self._plays:
            play.begin()

    def step(self, actions: Sequence[int]) -> Tuple[Array, Array]:
        """Takes an action in each game, and returns the rewards of both players and which games are over.

        `rewards` has the shape (count, 2). `ValueError` names the first illegal action, and nothing has changed then.
        """
        if len(actions) != self.count:
            raise ValueError(f"expected {self.count} actions, found {len(actions)}")
        for play, action in zip(self._plays, actions):
            play.check(action)
        engines = len(self._pool.engines)
        commands: List[List[str]] = [[] for _ in range(engines)]
        asked = []
        for play, action in zip(self._plays, actions):
            if self.over[play.index]:
                play.begin()
            else:
                commands[play.index % engines] += play.take(action)
                asked.append(play)
        answers = [iter(found) for found in self._pool.ask(commands)] if asked else []
        for play in asked:
            play.read(answers[play.index % engines])
        rewards = np.zeros((self.count, 2), np.float32)
        for index in np.flatnonzero(self.over):
            rewards[index] = REWARDS[self._plays[index].status.result]
        return rewards, self.over.copy()

    def observe(self, players: Optional[Sequence[int]] = None) -> Array:
        """The planes of each game, shape (count, planes, ranks, files), for those to move or for the `players`."""
        seen = self.players.astype(np.intp) if players is None else np.asarray(players, np.intp)
        squares = len(self.actions.squares)
        found = np.zeros((self.count, len(self.planes), squares), np.float32)
        places = self._plane_of[seen[:, None], self._pieces]
        np.put_along_axis(found, places[:, None, :], 1.0, axis=1)
        first = self._first_feature
        found[:, first - 2:first] = self._routes
        found[:, first:] = self._features[np.arange(self.count), seen][:, :, None]
        return found.reshape(self.count, len(self.planes), self.board.ranks, self.board.files)

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

    def __init__(self, games: Games, index: int) -> None:
        self.games = games
        self.index = index

    def begin(self) -> None:
        """Begins the game again."""
        self.moves: List[str] = []
        self.settle(*self.games._first)

    def check(self, action: int) -> None:
        """Refuses an action that is not legal."""
        games = self.games
        if not games.over[self.index] and not (0 <= action < len(games.actions) and games.masks[self.index, action]):
            what = games.actions.tokens[action] if 0 <= action < len(games.actions) else str(action)
            raise ValueError(f"expected a legal action in game {self.index}, found {what}")

    def take(self, action: int) -> List[str]:
        """Takes an action, and returns what to ask the engine then."""
        token = self.games.actions.tokens[action]
        self.asked = self.entered if token == "end" else self.entered + token
        self.is_whole = token == "end" or token in self.last
        if self.is_whole:
            self.moves.append(self.asked)
        setup = f"{self.games._begin} moves {' '.join(self.moves)}" if self.moves else self.games._begin
        return [setup, *QUESTIONS] if self.is_whole else [setup, f"query turn {self.asked}"]

    def read(self, answers: Iterator[str]) -> None:
        """Takes the answers to these questions."""
        if self.is_whole:
            self.settle(next(answers), next(answers), next(answers))
        else:
            self.enter(next(answers))

    def settle(self, fen: str, status: str, turn: str) -> None:
        """Takes the position after a move."""
        games = self.games
        self.fen = fen
        board, _, self.extra, *_ = fen.split(" ")
        self.pieces = games._read_pieces(board)
        self.status = protocol.status(status)
        games.players[self.index] = self.status.turn == "p2"
        games.over[self.index] = self.status.over
        self.enter(turn)

    def enter(self, text: str) -> None:
        """Takes what has been entered of a move, and what may follow."""
        games, turn = self.games, protocol.turn(text)
        self.entered = turn.entered
        # The tokens that end the move by themselves.
        self.last = {token.token for token in turn.next if token.completes}
        mask = games.masks[self.index]
        mask[:] = 0
        mask[[games.actions.number(token.token) for token in turn.next]] = 1
        mask[-1] = turn.move is not None
        pieces, route = games._pieces[self.index], games._routes[self.index]
        pieces[:] = np.frombuffer(self.pieces, np.uint8)
        route[:] = 0.0
        self.show(turn.steps, pieces, route)
        self.see(turn.drops)

    def show(self, steps: Sequence[Tuple[str, str]], pieces: Array, route: Array) -> None:
        """Shows what the entered part of a move does."""
        numbers = self.games._square_numbers
        begin = 0
        squares = SQUARE.findall(self.entered)
        for square in squares:
            route[0, numbers[square]] = 1.0
        if squares:
            route[1, numbers[squares[-1]]] = 1.0
        for key, place in steps:
            if key == "points":
                continue
            name, _, piece = place.partition("=")
            square = numbers[name]
            if key == "from":
                begin = square
            elif key == "to":
                pieces[square], pieces[begin] = pieces[begin], 0
            elif key in ("captured", "removed"):
                pieces[square] = 0
            elif key in ("flipped", "dropped"):
                pieces[square] = self.games._piece_numbers[piece]

    def see(self, drops: int) -> None:
        """Sets the numbers that are the same on each square."""
        status, games = self.status, self.games
        shared = (drops / TURNS, int(self.extra) / TURNS if self.extra.isdigit() else 0.0, status.quiet / QUIET,
                  status.repetitions / REPETITIONS, status.ply / PLIES)
        found = [COUNTS.fullmatch(status.game[key]) for key in games._counts]
        scale = len(games.actions.squares)
        pairs = [(int(match[1]) / scale, int(match[2] or match[1]) / scale) for match in found if match]
        is_second = float(games.players[self.index])
        games._features[self.index] = (
            (1.0 - is_second, 1.0, *shared, *(count for pair in pairs for count in pair)),
            (is_second, 0.0, *shared, *(count for pair in pairs for count in pair[::-1])))
        np.minimum(games._features[self.index], 1.0, out=games._features[self.index])
