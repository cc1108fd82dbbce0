"""Many games in play at once."""

import importlib.util
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .. import diagram, protocol
from ..errors import Refused
from ..model import Status
from . import source
from .processes import COUNTS, Processes
from .source import Array, Play, Rows, Source

__all__ = ["Array", "Games", "Refused", "has_native"]

# What drops, turns, quiet, repetitions and ply are divided by.
SCALES = (2, 2, 100, 3, 400)


def has_native() -> bool:
    """Whether `leapd_native` is installed: rules inside this process."""
    return importlib.util.find_spec("leapd_native") is not None


class Games:
    """`count` games in play, which are stepped together.

    Each game has a player to move. An action is the number of a token in `actions`; `masks` tells which are legal. A
    move may take several actions. Rewards are 1, -1 and 0, at the end of a game. A game that is over begins again with
    the next step, which ignores its action, as in the vector environments of Gymnasium.

    An observation has planes of the size of the board, as `planes` names them, for the player who looks. Index 0 of the
    last two axes is rank 1 and file a. With a `fen` all games begin at that position.

    The rules are those inside this process, if `leapd_native` is installed and there is no `command`. Else they are
    those of the engine, on `processes` processes, which `close` ends.
    """

    def __init__(self, game: str, count: int = 1, processes: int = 1, options: Optional[Mapping[str, object]] = None,
                 command: Union[str, Sequence[str], None] = None, fen: Optional[str] = None,
                 timeout: float = 10.0) -> None:
        if not 1 <= processes <= count:
            raise ValueError(f"expected 1 to {count} processes for {count} games, found {processes}")
        self.count = count
        self.source = _source(game, dict(options or {}), command, processes, timeout)
        try:
            self._set_up(fen)
        except BaseException:
            self.close()
            raise

    def _set_up(self, fen: Optional[str]) -> None:
        # The rule options by name, and the id of the game under `Game`.
        self.settings = self.source.settings
        self.board = self.source.board
        self.rules = self.source.rules
        self.actions = self.source.actions
        [self.first] = self.source.start([fen])
        self.planes, self._plane_of = self._lay_out()
        self.reset()

    def _lay_out(self) -> Tuple[Tuple[str, ...], Array]:
        """The names of the planes, and for each player the plane of each piece."""
        pieces = self.board.pieces
        kinds = sorted(pieces, key=lambda piece: piece.name)
        owned = {owner: [kind for kind in kinds if kind.owner == owner] for owner in ("p1", "p2", "none")}
        own = [f"own {kind.name}" for kind in owned["p1"]]
        other = [f"other {kind.name}" for kind in owned["p2"]]
        names = ["empty", *own, *other, *(kind.name for kind in owned["none"])]
        # Piece 0 is an empty square.
        places = np.zeros((2, 1 + len(pieces)), np.uint8)
        for player, order in enumerate((("p1", "p2", "none"), ("p2", "p1", "none"))):
            for plane, kind in enumerate((kind for owner in order for kind in owned[owner]), 1):
                places[player, 1 + pieces.index(kind)] = plane
        self._kinds = np.arange(len(names), dtype=np.uint8)[None, :, None]
        squares = len(self.actions.squares)
        status = protocol.status(self.first.status).game
        keys = [key for key, value in status.items() if COUNTS.fullmatch(value)]
        self._scales = np.array([*SCALES, *[squares] * 2 * len(keys)], np.float32)
        counts = [f"{whose} {key}" for key in keys for whose in ("own", "other")]
        constant = ["to move", "player 1", "drops", "turns", "quiet", "repetitions", "ply", *counts]
        return (*names, "route", "here", *constant), places

    def close(self) -> None:
        """Ends the engine processes, if there are any."""
        self.source.close()

    def __enter__(self) -> "Games":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reset(self, fens: Optional[Sequence[str]] = None) -> None:
        """Begins all games again. With `fens`, each game begins at its own position text from now on."""
        if fens is not None and len(fens) != self.count:
            raise ValueError(f"expected {self.count} position texts, found {len(fens)}")
        self._plays: Sequence[Play] = (
            [self.first.copy() for _ in range(self.count)] if fens is None else self.source.start(fens))
        self._show()

    def _show(self) -> None:
        """Sets the arrays by what the games are now."""
        self._rows = rows = self.source.rows(self._plays)
        self.masks: Array = rows.masks
        # Who is to move in each game: 0 for player 1.
        self.players: Array = rows.numbers[:, source.PLAYER].astype(np.int8)
        self.over: Array = rows.numbers[:, source.OVER].astype(np.bool_)

    def step(self, actions: Sequence[int]) -> Tuple[Array, Array]:
        """Takes an action in each game, and returns the rewards of both players and which games are over.

        `rewards` has the shape (count, 2). `ValueError` names the first illegal action, and nothing has changed then.
        """
        if len(actions) != self.count:
            raise ValueError(f"expected {self.count} actions, found {len(actions)}")
        self.source.step(self._plays, np.asarray(actions).tolist())
        self._show()
        result = self._rows.numbers[:, source.RESULT]
        return np.stack([result, 0 - result], axis=1).astype(np.float32), self.over.copy()

    def observe(self, players: Optional[Sequence[int]] = None) -> Array:
        """The planes of each game, shape (count, planes, ranks, files), for those to move or for the `players`."""
        return self._draw(self._rows, self.players if players is None else players)

    def draw(self, plays: Sequence[Play], players: Sequence[int]) -> Array:
        """The planes of some games, each for a player."""
        return self._draw(self.source.rows(plays), players)

    def _draw(self, rows: Rows, players: Any) -> Array:
        seen = np.asarray(players, np.intp)
        count, squares = rows.pieces.shape
        kinds = self._kinds.size
        found = np.zeros((count, len(self.planes), squares), np.float32)
        found[:, :kinds] = self._plane_of[seen[:, None], rows.pieces][:, None, :] == self._kinds
        found[:, kinds] = rows.route > 0
        found[:, kinds + 1] = rows.route == 2
        numbers = rows.numbers
        found[:, kinds + 2] = (numbers[:, source.PLAYER] == seen)[:, None]
        found[:, kinds + 3] = (1 - seen)[:, None]
        # The counts of player 1 come first, and here those of the player who looks.
        pairs = numbers[:, source.COUNTS:].reshape(count, -1, 2)
        counts = np.where(seen[:, None, None] == 1, pairs[:, :, ::-1], pairs).reshape(count, -1)
        features = np.concatenate([numbers[:, source.DROPS:source.COUNTS], counts], axis=1) / self._scales
        found[:, kinds + 4:] = np.minimum(features, 1.0)[:, :, None]
        return found.reshape(count, len(self.planes), self.board.ranks, self.board.files)

    def status(self, index: int = 0) -> Status:
        """How a game stands."""
        return protocol.status(self._plays[index].status)

    def moves(self, index: int = 0) -> List[str]:
        """The moves of a game so far."""
        return list(self._plays[index].moves)

    def entered(self, index: int = 0) -> str:
        """What has been entered of the move in a game."""
        return self._plays[index].entered

    def text(self, index: int = 0) -> str:
        """The board of a game in letters, before the move that is being entered."""
        return diagram.text(self._plays[index].fen, self.board)


def _source(game: str, options: Mapping[str, object], command: Union[str, Sequence[str], None], processes: int,
            timeout: float) -> Source:
    """The rules inside this process, or those of an engine."""
    if command is None and has_native():
        # Only who has the module can import this.
        from .native import Native
        return Native(game, options)
    return Processes(game, options, command, processes, timeout)
