"""What an author writes: the rules of a game, on positions that are read, printed and compared here."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from . import texts
from .partial import ListedMove, PartialMove, board_changes
from .wire import MOST, BadPosition, Illegal, Option

if TYPE_CHECKING:
    from .search import Search

G = TypeVar("G", bound="Game")


class Ending(NamedTuple):
    """How a game stands: `p1win`, `p2win`, `draw` or `none`, and the reason, a word of SPEC 10.7 or `none`."""

    result: str
    reason: str


ONGOING = Ending("none", "none")
MOST_LINES = 26  # files and ranks of a board (SPEC 9.33)


@dataclass(frozen=True)
class Position:
    """A position. `board` maps each square with a piece to the text of this piece: `{"a2": "M"}`.

    `side` is the player to move, 1 or 2. `extra` is one word for what a game needs beyond the board. `quiet` counts
    moves without a capture, and `ply` all moves. A board is never changed: make a new one.
    """

    board: Mapping[str, str]
    side: int = 1
    extra: str = "-"
    quiet: int = 0
    ply: int = 0

    @cached_property
    def key(self) -> Tuple[FrozenSet[Tuple[str, str]], int, str]:
        """What two positions have in common that are the same for repetition (SPEC 10.10)."""
        return frozenset(self.board.items()), self.side, self.extra

    def __hash__(self) -> int:
        return hash(self.key)

    def of(self, *pieces: str) -> List[str]:
        """The squares on which one of these pieces stands."""
        return [square for square, piece in self.board.items() if piece in pieces]

    def after(self, board: Mapping[str, str], *, side: Optional[int] = None, extra: Optional[str] = None,
              captured: Optional[bool] = None) -> Position:
        """The position after a move that leads to this board. By default the other player is to move, `extra` stays,
        and the move has captured something if the board has fewer pieces than before."""
        if captured is None:
            captured = len(board) < len(self.board)
        return Position(board, side or 3 - self.side, self.extra if extra is None else extra,
                        0 if captured else min(self.quiet + 1, MOST), min(self.ply + 1, MOST))


class Game:
    """The rules of a game. A subclass sets the attributes, and writes `legal_moves`, `play` and usually `status`.

    Everything else has a default. An instance never changes: new values of the rule options make another one.
    """

    name: str = ""  # the game's id: one word in lower case
    title: str = ""
    files: int = 8
    ranks: int = 8
    kind: str = "cells"  # or `points`, or `hexagons`
    lines: Sequence[Tuple[str, str]] = ()  # of a board of points: each pair of neighbours
    holes: Sequence[str] = ()  # squares that the board lacks
    pieces: Mapping[str, Tuple[str, int]] = {}  # {"M": ("man", 1)}: piece text, name, and owner (0: nobody)
    colours: Tuple[str, str] = ("white", "black")
    start: str = ""  # the position text of the start; the board alone is enough
    extra: str = "-"  # a regular expression for the field `extra` of position texts
    passes: bool = False  # whether a move may be `pass`
    draw_offers: bool = False  # whether the players may agree on a draw
    drawn: bool = True  # whether positions can be shown on a board
    repetitions: int = 3  # the occurrence of a position that ends the game; 0: none does
    quiet_limit: int = 0  # moves without a capture that end the game; 0: no limit
    max_plies: int = 400  # moves that end the game, the default of the option MaxPlies; 0: no limit
    options: Mapping[str, Option] = {}  # rule options beside MaxPlies
    guide: str = ""  # the lines of `query rules` (SPEC 4.35), each without the word `rules`

    def __init__(self) -> None:
        self.settings: Dict[str, str] = {name: option.default for name, option in self.rule_options().items()}
        self._generated: Tuple[Optional[Position], List[str]] = (None, [])
        self.configure()

    # What each game has

    def legal_moves(self, position: Position) -> List[str]:
        """The move texts (SPEC 9.20) by the rules on the board, in any order. Called only while `status` is None."""
        raise NotImplementedError

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move. `Position.after` counts moves and passes the turn."""
        raise NotImplementedError

    def status(self, position: Position) -> Union[str, Ending, None]:
        """`p1win`, `p2win` or `draw` if the board shows that the game is over. An `Ending` names the reason too, which
        is otherwise `no-moves`. A position without a legal move, repetition and limits need no code."""
        return None

    def evaluate(self, position: Position) -> Optional[int]:
        """What the position is worth for the side to move, in hundredths of a man. None: the player judges positions by
        random games."""
        return None

    # What a game may refine

    def configure(self) -> None:
        """Called after `settings`, the values of the rule options, have changed."""

    def stuck(self, position: Position) -> str:
        """The result where the side to move has no legal move: by default a loss."""
        return f"p{3 - position.side}win"

    def count(self, position: Position) -> str:
        """The result where a limit or repetition ends the game: by default a draw."""
        return "draw"

    def counts(self, position: Position) -> Dict[str, str]:
        """The pairs of `query status` beyond the common ones: by default the pieces of each player."""
        owners = [self.pieces[piece][1] for piece in position.board.values()]
        return {"men": f"{owners.count(1)}-{owners.count(2)}"}

    def refused(self, position: Position) -> Optional[str]:
        """Why a position text must be refused though it is well-formed (SPEC 9.17), or None."""
        return None

    def explain(self, position: Position, entered: List[str], token: str) -> Optional[Illegal]:
        """Why no legal move goes on from these tokens to this one. None: the reason that board and list tell."""
        return None

    def effects(self, position: Position, move: str) -> List[str]:
        """What a move does to the board, as pairs of SPEC 4.28: by default the differences of the boards."""
        return board_changes(self, position, move)

    def partial_move(self, position: Position) -> PartialMove:
        """How a move is entered token by token. By default it is looked up in the list of legal moves."""
        return ListedMove(self, position)

    def listed(self, moves: Sequence[str]) -> List[str]:
        """Moves in listing order (SPEC 9.27)."""
        return sorted(moves, key=lambda move: texts.order(move, self.index))

    # Texts

    def start_position(self) -> Position:
        """The position at the start."""
        return self.read_position(texts.start(self))

    def read_position(self, text: str) -> Position:
        """The position of a text, or `BadPosition`."""
        return texts.read_position(self, text)

    def adopted(self, position: Position) -> Position:
        """A position of the same game with other values of its options, or `Refused`."""
        return position

    def position_text(self, position: Position) -> str:
        """The text of a position (SPEC 9.7)."""
        return texts.position_text(self, position)

    def read_move(self, text: str) -> List[str]:
        """The tokens of a move text that a client has sent, or `Illegal` with a reason of the text (SPEC 6.9)."""
        return texts.read_move(self, text)

    def search(self, positions: Sequence[Position], stop: Event, nodes: Optional[int],
               seconds: Optional[float]) -> Search:
        """The player: a search of the last of these positions."""
        from .search import Search
        return Search(self, positions, stop, nodes, seconds)

    # Squares

    @cached_property
    def square_names(self) -> List[str]:
        """All squares by index: `a1`, `b1` and so on, those that the board lacks too."""
        return [texts.square(file, rank) for rank in range(self.ranks) for file in range(self.files)]

    @cached_property
    def index(self) -> Dict[str, int]:
        """The index of each square that the board has."""
        return {name: at for at, name in enumerate(self.square_names) if name not in self.holes}

    def step(self, square: str, right: int, up: int) -> str:
        """The square so many files to the right and ranks up of a square, or an empty text beyond the edge."""
        rank, file = divmod(self.index[square], self.files)
        file, rank = file + right, rank + up
        if not (0 <= file < self.files and 0 <= rank < self.ranks):
            return ""
        name = self.square_names[rank * self.files + file]
        return name if name in self.index else ""

    # What the engine asks for

    def rule_options(self) -> Dict[str, Option]:
        """All rule options, in the order of `query game`."""
        return {"MaxPlies": Option("spin", str(self.max_plies), (0, MOST)), **self.options}

    def with_settings(self: G, settings: Mapping[str, str]) -> G:
        """The same game with these values of its rule options."""
        game = copy.copy(self)
        game.settings = dict(settings)
        game._generated = (None, [])
        game.configure()
        return game

    def moves(self, position: Position) -> List[str]:
        """The legal moves in listing order, repetition aside: none where the position shows that the game is over."""
        return [] if self.limit(position) else self._moves(position)

    def ending(self, position: Position, occurrences: int) -> Ending:
        """How the game stands in a position that has occurred this often (SPEC 10.7)."""
        status = self.status(position)
        if status is not None:
            return status if isinstance(status, Ending) else Ending(status, "no-moves")
        if not self._moves(position):
            return Ending(self.stuck(position), "no-moves")
        reason = self.limit(position) or ("repetition" if 0 < self.repetitions <= occurrences else None)
        return Ending(self.count(position), reason) if reason else ONGOING

    def limit(self, position: Position) -> Optional[str]:
        """The reason if a limit has been reached."""
        if 0 < self.quiet_limit <= position.quiet:
            return "quiet-limit"
        return "max-plies" if 0 < int(self.settings["MaxPlies"]) <= position.ply else None

    def _moves(self, position: Position) -> List[str]:
        """The moves on the board; those of the last position are kept, since ending and moves are asked in turn."""
        last, moves = self._generated
        if last is not position:
            moves = [] if self.status(position) is not None else self.listed(self.legal_moves(position))
            self._generated = (position, moves)
        return moves


def check_description(game: Game) -> None:
    """Raises `ValueError` where the description of a game contradicts SPEC 9.29 to 9.33, before an engine runs."""
    faults = {
        "name: expected a word in lower case": not re.fullmatch("[a-z][a-z0-9_-]*", game.name),
        f"files and ranks: expected 1 to {MOST_LINES} of each":
            not (1 <= game.files <= MOST_LINES and 1 <= game.ranks <= MOST_LINES),
        "kind: expected cells, points or hexagons": game.kind not in ("cells", "points", "hexagons"),
        "pieces: expected letters, or letters with ~":
            not all(re.fullmatch("[A-Za-z]~?", text) for text in game.pieces),
    }
    for fault, is_there in faults.items():
        if is_there:
            raise ValueError(f"{type(game).__name__}.{fault}")
    try:
        game.start_position()
    except BadPosition as error:
        raise ValueError(f"{type(game).__name__}.start: {error}") from None
