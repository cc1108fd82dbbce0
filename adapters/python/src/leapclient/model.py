"""Commands and answers as values."""

import math
import numbers
from dataclasses import dataclass, field, replace
from typing import Dict, Iterator, List, Literal, Optional, Tuple

Side = Literal["p1", "p2"]
"""A player."""
Result = Literal["p1win", "p2win", "draw", "none"]
"""The result of a game: `none` while it goes on."""
Worth = Literal["win", "draw", "loss", "unknown"]
"""An exact value for the side to move."""
TokenKind = Literal["first", "step", "drop", "remove", "pass", "end"]
"""What a token of a move is (SPEC 4.44)."""

# The least and the greatest number that each parameter of `go` takes (SPEC 5.2). Times are in milliseconds.
CLOCK = (-(1 << 63), (1 << 63) - 1)
U64 = (0, (1 << 64) - 1)
U32 = (0, (1 << 32) - 1)
# The parameters of `go` by the fields of a limit: first times, then counts.
TIMES = {"time": ("movetime", U64), "p1_clock": ("p1time", CLOCK), "p2_clock": ("p2time", CLOCK),
         "p1_inc": ("p1inc", CLOCK), "p2_inc": ("p2inc", CLOCK)}
COUNTS = {"depth": ("depth", U32), "nodes": ("nodes", U64), "mate": ("mate", U32), "moves_to_go": ("movestogo", U32)}
# The centipawns that multiply the odds of a win by e, where an engine tells no chances.
CENTIPAWNS = 250
# Fields that limit nothing without a clock.
OF_CLOCKS = ("p1_inc", "p2_inc", "moves_to_go")


def checked_side(side: str) -> Side:
    """A side that a caller names. `ValueError` tells of another word."""
    sides: Dict[str, Side] = {"p1": "p1", "p2": "p2"}
    if side in sides:
        return sides[side]
    raise ValueError(f"expected a side, p1 or p2, found {side!r}")


@dataclass(frozen=True)
class Limit:
    """When a search ends. Times are in seconds. `Limit()` has no limit: the search goes on until it is stopped.

    `mate` counts moves of two plies. `ValueError` tells of a negative time or count, and of a number that is not finite
    or not whole. It also tells of an increment or `moves_to_go` without any limit (SPEC 5.6a). A clock may be negative.
    """

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    mate: Optional[int] = None
    p1_clock: Optional[float] = None
    p2_clock: Optional[float] = None
    p1_inc: Optional[float] = None
    p2_inc: Optional[float] = None
    moves_to_go: Optional[int] = None
    # The moves to search. Empty means all.
    search_moves: Tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.search_moves, str):
            raise ValueError(f"expected a sequence of moves to search, found the text {self.search_moves!r}")
        given = {key.split()[0] for key in self._parameters()}
        names = [field for field in OF_CLOCKS if getattr(self, field) is not None]
        if names and not given - {"p1inc", "p2inc", "movestogo"}:
            raise ValueError(f"expected a clock beside {' and '.join(names)}, found no limit")

    def _parameters(self) -> List[str]:
        times = [(field, *TIMES[field], 1000) for field in TIMES]
        counts = [(field, *COUNTS[field], 1) for field in COUNTS]
        return [f"{key} {_whole(field, value, factor, *bounds)}" for field, key, bounds, factor in times + counts
                if (value := getattr(self, field)) is not None]

    def go(self) -> str:
        """The `go` line."""
        # `searchmoves` comes last, since all words after it are moves.
        moves = ["searchmoves", *self.search_moves] if self.search_moves else []
        return " ".join(["go", *(self._parameters() or ["infinite"]), *moves])

    @property
    def is_infinite(self) -> bool:
        """Whether the search runs until it is stopped."""
        return not self._parameters()


def _whole(field: str, value: object, factor: int, low: int, high: int) -> int:
    """A value of a limit as the whole number that the engine takes."""
    is_number = isinstance(value, numbers.Real if factor > 1 else numbers.Integral) and not isinstance(value, bool)
    # Comparisons with NaN are false.
    if not is_number or not low <= value * factor <= high:  # type: ignore[operator]
        kind = "a time" if factor > 1 else "a whole number"
        raise ValueError(f"expected {kind} of {low // factor} to {high // factor} for {field}, found {value!r}")
    return round(value * factor)  # type: ignore[operator]


@dataclass(frozen=True)
class Option:
    """An option line (SPEC 3.3)."""

    name: str
    type: str
    default: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    var: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Score:
    """A score from the view of the side to move: centipawns or a mate distance (SPEC 5.19, 5.20).

    `mate` counts moves, whatever the engine counts. `mate_plies` counts plies. It is None for engines of `leap 1.x`,
    which tell only the moves (SPEC 17.15). Both are negative if the side to move loses.
    """

    cp: Optional[int] = None
    mate: Optional[int] = None
    bound: Optional[Literal["lowerbound", "upperbound"]] = None
    mate_plies: Optional[int] = None

    def __neg__(self) -> "Score":
        """The same score from the view of the other side."""
        bound = self.bound and ("upperbound" if self.bound == "lowerbound" else "lowerbound")
        cp, mate, plies = (None if number is None else -number for number in (self.cp, self.mate, self.mate_plies))
        return Score(cp, mate, bound, plies)

    def chance(self) -> float:
        """The winning chance from 0 to 1: wins and half of the draws. An announced end is certain.

        Engines usually tell the chances themselves: `Info.chance` uses these.
        """
        if self.mate is not None:
            return 1.0 if self.mate > 0 else 0.0
        # A large score would overflow.
        return 1 / (1 + math.exp(-max(-1e5, min(1e5, self.cp or 0)) / CENTIPAWNS))

    def _worth(self) -> Tuple[int, int]:
        """Sorts scores: a loss, the sooner the worse; centipawns; a win, the sooner the better. Bounds do not count."""
        if self.mate is None:
            return 0, self.cp or 0
        plies = 2 * self.mate - (self.mate > 0) if self.mate_plies is None else self.mate_plies
        return (1, -plies) if self.mate > 0 else (-1, -plies)

    def __lt__(self, other: "Score") -> bool:
        return self._worth() < other._worth()

    def __le__(self, other: "Score") -> bool:
        return self._worth() <= other._worth()

    def __gt__(self, other: "Score") -> bool:
        return self._worth() > other._worth()

    def __ge__(self, other: "Score") -> bool:
        return self._worth() >= other._worth()

    def __str__(self) -> str:
        """`+0.35`, or `#-3` for a loss in three moves."""
        return f"#{self.mate}" if self.mate is not None else f"{(self.cp or 0) / 100:+.2f}"


@dataclass(frozen=True)
class Info:
    """An `info` line (SPEC 5.21). `time` is in seconds. `turn` is the side that searches, whose view the score is."""

    depth: Optional[int] = None
    seldepth: Optional[int] = None
    multipv: int = 1
    score: Optional[Score] = None
    wdl: Optional[Tuple[int, int, int]] = None
    nodes: Optional[int] = None
    nps: Optional[int] = None
    hashfull: Optional[int] = None
    tbhits: Optional[int] = None
    time: Optional[float] = None
    currmove: Optional[str] = None
    pv: Tuple[str, ...] = ()
    string: Optional[str] = None
    turn: Optional[Side] = None

    def pov(self, side: Side) -> "Info":
        """The same line with score and `wdl` from the view of a side.

        `ValueError` tells that the engine did not say who was to move.
        """
        side = checked_side(side)
        if self.turn is None:
            raise ValueError("expected an engine that answers `query p1turn`, found none")
        if side == self.turn:
            return self
        score = None if self.score is None else -self.score
        wdl = None if self.wdl is None else self.wdl[::-1]
        return replace(self, score=score, wdl=wdl, turn=side)

    def chance(self) -> Optional[float]:
        """The winning chance of `turn` from 0 to 1: wins and half of the draws. None without a score.

        The engine's own chances (`wdl`) come first, but an announced end is certain.
        """
        if self.wdl is not None and (self.score is None or self.score.mate is None):
            return (self.wdl[0] + self.wdl[1] / 2) / 1000
        return None if self.score is None else self.score.chance()


@dataclass(frozen=True)
class PlayResult:
    """The result of a search. `move` is None when the game is over (SPEC 5.11), and `resign` if the engine resigns."""

    move: Optional[str]
    ponder: Optional[str] = None
    info: Info = field(default_factory=Info)


@dataclass(frozen=True)
class Status:
    """The answer to `query status` (SPEC 4.18). The pairs that only some games have are in `game`."""

    over: bool
    result: Result
    reason: str
    turn: Side
    ply: int
    quiet: int
    repetitions: int
    game: Dict[str, str]


@dataclass(frozen=True)
class Moves:
    """The answer to `query moves`: a collection of moves. If the limit has cut it, `complete` is False (SPEC 4.14)."""

    moves: Tuple[str, ...]
    complete: bool

    def __iter__(self) -> Iterator[str]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __contains__(self, move: object) -> bool:
        return move in self.moves

    def __getitem__(self, index: int) -> str:
        return self.moves[index]


@dataclass(frozen=True)
class Legality:
    """The answer to `query legal`. It is true in an `if` when the move is legal (SPEC 4.17)."""

    legal: bool
    reason: Optional[str] = None
    square: Optional[str] = None
    text: str = ""

    def __bool__(self) -> bool:
        return self.legal


@dataclass(frozen=True)
class Piece:
    """A kind of piece (SPEC 4.23): its letter in positions, its name, its owner (`p1`, `p2` or `none`), its value."""

    text: str
    name: str
    owner: Literal["p1", "p2", "none"]
    value: int


@dataclass(frozen=True)
class Board:
    """The answer to `query board` (SPEC 4.23).

    `kind` is `cells`, `points` or `hexagons`. Points have `lines`, and a board of hexagons may lack the squares in
    `holes`.
    """

    files: int
    ranks: int
    kind: str
    lines: List[Tuple[str, str]]
    pieces: List[Piece]
    colours: Dict[str, str]
    holes: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Effects:
    """The answer to `query effects` (SPEC 4.28): the steps as pairs, then the fields of the position after the move."""

    steps: List[Tuple[str, str]]
    side: str
    extra: str
    quiet: int
    ply: int


@dataclass(frozen=True)
class NextToken:
    """A token that may follow: its kind, its text, and the kinds after it.

    A kind is `first`, `step`, `drop`, `remove` or `pass`.
    """

    kind: TokenKind
    token: str
    then: Tuple[TokenKind, ...]

    @property
    def completes(self) -> bool:
        """Whether this token completes the move."""
        return self.then == ("end",)


@dataclass(frozen=True)
class Turn:
    """The answer to `query turn` (SPEC 4.42): a partly entered move, what it does, and what may follow.

    `entered` is the part of the text that begins a legal move. `refused` says why the rest is refused. `steps` is
    what the entered part does. If the move may end here, `move` is its canonical text, and `ending` is what the end
    of the move does. Otherwise `unfinished` says why it may not end.
    """

    entered: str
    refused: Optional[Legality]
    awaits: Tuple[TokenKind, ...]
    drops: int
    next: Tuple[NextToken, ...]
    steps: Tuple[Tuple[str, str], ...]
    move: Optional[str]
    ending: Tuple[Tuple[str, str], ...]
    unfinished: Optional[str]


@dataclass(frozen=True)
class Problem:
    """A position with proved right moves (SPEC 4.48).

    `task` says what they reach, such as `win in 5 plies`. `operations` has every operation of the line, also unknown
    ones.
    """

    fen: str
    best: Tuple[str, ...]
    task: str
    id: str
    operations: Dict[str, str]


@dataclass(frozen=True)
class Exact:
    """An exact value: `win`, `draw` or `loss` with perfect play, or `unknown` (SPEC 4.51).

    `plies` is the number of plies until a capture or the end of the game, if a side can force one that gains. None
    means that endless play decides, or that the value is unknown.
    """

    worth: Worth
    plies: Optional[int]


@dataclass(frozen=True)
class Values:
    """The answer to `query value` (SPEC 4.51).

    `position` is the value for the side to move, and `moves` has the values of the known moves for the side that
    makes them. Every position with at most `reach` men is known. If not all known moves fit, `complete` is False.
    """

    position: Exact
    reach: int
    moves: Dict[str, Exact]
    complete: bool


@dataclass(frozen=True)
class Example:
    """A position that shows a rule, and perhaps a move in it with its steps."""

    fen: str
    caption: str
    move: Optional[str] = None
    steps: Tuple[Tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Clause:
    """A paragraph of the rules."""

    heading: str
    text: str
    examples: Tuple[Example, ...] = ()


@dataclass(frozen=True)
class RuleOption:
    """A rule option: a short name, what it changes, and its values with their names."""

    label: str
    text: str
    values: Dict[str, str]


@dataclass(frozen=True)
class Rules:
    """The answer to `query rules` (SPEC 4.34).

    `prompts` has a sentence for each kind of token, and `options` a text for each rule option. `words` has what a
    person would say for words of other answers.
    """

    language: str
    languages: Tuple[str, ...]
    title: str
    clauses: Tuple[Clause, ...]
    prompts: Dict[str, str]
    options: Dict[str, RuleOption]
    words: Dict[str, str]
