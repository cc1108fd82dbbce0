"""The rules of Alquerque, from SPEC chapters 9 to 11, and how a move is entered."""

from __future__ import annotations

from typing import NamedTuple

from leapclient.serve import Game, Illegal, Option, PartialMove, Position, squares

SIZE = 5
NAMES = [f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcde"]
SQUARES = {name: index for index, name in enumerate(NAMES)}
EMPTY = "."
MEN = {1: "M", 2: "m"}
MAN = 100  # centipawns

GUIDE = """
language en of en
title Alquerque
clause Aim : Capture all enemy men, or leave the other player without a move.
clause Moves : A man goes along a line to an empty point next to it.
example fen mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0 move d2c3 : A man goes to the centre.
clause Captures : A man hops over an enemy man to the empty point beyond and captures it. It may hop on, and need not capture.
example fen m4/2mm1/5/1m3/M4 1 - 0 20 move a1c3c5e3 : Three hops capture three men.
clause Ending : A player without a legal move loses. At a limit, and when a position occurs for the third time, more men win.
prompt first : choose a man
prompt step : go to a marked point
prompt drop : put a piece on a marked point
prompt remove : take a marked piece off
prompt end : end the turn
option MaxPlies : Longest game : The men are counted after this many moves; 0 sets no limit.
option AlquerqueCapture : Captures : Whether a capture must be made where there is one.
value AlquerqueCapture optional : optional
value AlquerqueCapture mandatory : mandatory
option AlquerqueQuietLimit : Moves without a capture : The men are counted after this many; 0 sets no limit.
word man : man
word men : men
word white : White
word black : Black
word no-moves : no legal move
word quiet-limit : too many moves without a capture
word max-plies : the longest game
word repetition : the third occurrence of the position
"""


class Walk(NamedTuple):
    """A man on its way, and so a move when it may stop.

    The board has one character for each square, by index, and lacks the man (SPEC 10.3).
    """

    route: tuple[int, ...]
    man: str
    board: str
    captured: frozenset[int]
    may_step: bool

    @property
    def identity(self) -> tuple[int, int, frozenset[int]]:
        """What makes two routes one move (SPEC 9.23)."""
        return self.route[0], self.route[-1], self.captured

    def __str__(self) -> str:
        return "".join(NAMES[square] for square in self.route)


class Rules(Game):
    """The rules with the values of their options. The engine that breaks them overrides a method or two."""

    name, title = "alquerque", "Alquerque"
    files = ranks = SIZE
    kind = "points"
    pieces = {"M": ("man", 1), "m": ("man", 2)}
    colours = ("white", "black")
    start = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM"  # SPEC 11.4
    draw_offers = True
    options = {
        "AlquerqueCapture": Option("combo", "optional", values=("optional", "mandatory")),
        "AlquerqueQuietLimit": Option("spin", "100", (0, 1_000_000)),
    }
    guide = GUIDE
    most_men = 12  # of one player in a position text (SPEC 9.17)

    def __init__(self) -> None:
        super().__init__()
        self.step_table = [self.along_lines(square, 1) for square in range(SIZE * SIZE)]
        self.hop_table = [self.along_lines(square, 2) for square in range(SIZE * SIZE)]
        self.lines = [(NAMES[a], NAMES[b]) for a, others in enumerate(self.step_table) for b in others if a < b]

    def configure(self) -> None:
        self.mandatory = self.settings["AlquerqueCapture"] == "mandatory"
        self.quiet_limit = int(self.settings["AlquerqueQuietLimit"])

    def refused(self, position: Position) -> str | None:
        many = any(len(position.of(man)) > self.most_men for man in MEN.values())
        return f"expected {self.most_men} men of a player at most" if many else None

    # The board

    def along_lines(self, square: int, distance: int) -> list[int]:
        """The squares this far from a square on straight lines, in ascending order."""
        rank, file = divmod(square, SIZE)
        return [
            (rank + up * distance) * SIZE + file + right * distance
            for up in (-1, 0, 1)
            for right in (-1, 0, 1)
            if (up or right)
            and 0 <= rank + up * distance < SIZE
            and 0 <= file + right * distance < SIZE
            and (not (up and right) or self.has_diagonals(file, rank))
        ]

    def has_diagonals(self, file: int, rank: int) -> bool:
        """SPEC 11.2; counted from 0 instead of 1, the sum of both is even at the same points."""
        return (file + rank) % 2 == 0

    # Moves

    def starts(self, position: Position) -> list[Walk]:
        """The men of the side to move, each before its move, by square."""
        own, board = MEN[position.side], "".join(position.board.get(name, EMPTY) for name in NAMES)
        men = [square for square, man in enumerate(board) if man == own]
        walks = [Walk((man,), own, put(board, man, EMPTY), frozenset(), True) for man in men]
        return [walk._replace(may_step=False) for walk in walks] if self.must_capture(walks) else walks

    def must_capture(self, walks: list[Walk]) -> bool:
        """Whether these men, all of the side to move, may not step (SPEC 11.11)."""
        return self.mandatory and any(self.hops(walk) for walk in walks)

    def onward(self, walk: Walk) -> list[Walk]:
        """How a walk goes on: by any step or hop at first, by hops after a hop, not after a step (SPEC 11.9)."""
        if len(walk.route) > 1 and not walk.captured:
            return []
        steps = self.steps(walk) if walk.may_step else []
        return steps + self.hops(walk)

    def steps(self, walk: Walk) -> list[Walk]:
        """SPEC 11.6."""
        targets = [to for to in self.step_table[walk.route[-1]] if walk.board[to] == EMPTY]
        return [walk._replace(route=walk.route + (to,), may_step=False) for to in targets]

    def hops(self, walk: Walk) -> list[Walk]:
        """SPEC 11.7, in ascending order of the landing squares."""
        here, board = walk.route[-1], walk.board
        return [
            self.hop(walk, (here + to) // 2, to)
            for to in self.hop_table[here]
            if board[to] == EMPTY and self.can_be_hopped(board[(here + to) // 2], walk.man)
        ]

    def can_be_hopped(self, man: str, by: str) -> bool:
        return man not in (EMPTY, by)

    def hop(self, walk: Walk, over: int, to: int) -> Walk:
        """The hopped man leaves the board immediately (SPEC 10.4)."""
        board = put(walk.board, over, EMPTY)
        return Walk(walk.route + (to,), walk.man, board, walk.captured | {over}, False)

    def may_stop(self, walk: Walk, onward: list[Walk]) -> bool:
        """Whether the walk is a whole move, where this is how it can go on (SPEC 11.8, 11.11)."""
        return len(walk.route) > 1 and not (self.mandatory and onward)

    def generate(self, position: Position) -> list[Walk]:
        """The moves by the board alone, limits aside: canonical routes in listing order (SPEC 9.24, 9.27).

        A route is as long as the men that it captures tell, and routes are walked in the order of their squares: so the
        first one found of a move is its canonical one.
        """
        moves: list[Walk] = []
        seen = set()
        walks = self.starts(position)[::-1]
        while walks:
            walk = walks.pop()
            if walk.identity in seen:
                continue
            seen.add(walk.identity)
            onward = self.onward(walk)
            if self.may_stop(walk, onward):
                moves.append(walk)
            walks += onward[::-1]
        return moves

    def legal_moves(self, position: Position) -> list[str]:
        return [str(walk) for walk in self.generate(position)]

    def play(self, position: Position, move: str) -> Position:
        board, route = dict(position.board), squares(move)
        man, captured = board.pop(route[0]), hopped_over(move)
        for square in captured:
            board.pop(square, None)
        board[route[-1]] = man
        return position.after(board, captured=bool(captured))

    def partial_move(self, position: Position) -> PartialMove:
        return Entered(self, position)

    def count(self, position: Position) -> str:
        """SPEC 11.13."""
        p1, p2 = len(position.of("M")), len(position.of("m"))
        return "draw" if p1 == p2 else "p1win" if p1 > p2 else "p2win"

    def evaluate(self, position: Position) -> int:
        return MAN * (len(position.of(MEN[position.side])) - len(position.of(MEN[3 - position.side])))


class Entered(PartialMove):
    """A move as far as it has been entered: a walk, or nothing yet."""

    def __init__(self, rules: Rules, position: Position, walk: Walk | None = None) -> None:
        self.rules, self.position, self.walk = rules, position, walk
        self.onward = rules.onward(walk) if walk else [man for man in rules.starts(position) if rules.onward(man)]

    def tokens(self) -> list[str]:
        return [NAMES[square] for square in sorted({way.route[-1] for way in self.onward})]

    def take(self, token: str) -> Entered:
        for way in self.onward:
            if NAMES[way.route[-1]] == token:
                return Entered(self.rules, self.position, way)
        name = token.lstrip("@x")
        if token != name:
            raise Illegal("no-removal" if token.startswith("x") else "drop-not-allowed", name)
        raise self.refusal(self.walk, SQUARES[name]) if self.walk else self.origin_refusal(SQUARES[name])

    def finish(self) -> str:
        if not self.walk or len(self.walk.route) == 1:
            raise Illegal("incomplete")
        if not self.rules.may_stop(self.walk, self.onward):
            raise Illegal("must-continue", NAMES[self.walk.route[-1]])
        return next(str(move) for move in self.rules.generate(self.position) if move.identity == self.walk.identity)

    def effects(self) -> list[str]:
        pairs = []
        route = self.walk.route if self.walk else ()
        for here, to in zip(route, route[1:]):
            pairs.append(f"from {NAMES[here]} to {NAMES[to]}")
            pairs += [f"captured {NAMES[(here + to) // 2]}"] if self.walk.captured else []
        return pairs

    def origin_refusal(self, origin: int) -> Illegal:
        """Why no move begins on this square."""
        man = self.position.board.get(NAMES[origin])
        if man is None:
            return Illegal("empty-square", NAMES[origin])
        if man != MEN[self.position.side]:
            return Illegal("not-your-piece", NAMES[origin])
        walk = next(walk for walk in self.rules.starts(self.position) if walk.route == (origin,))
        return Illegal("capture-mandatory" if self.rules.steps(walk) else "blocked", NAMES[origin])

    def refusal(self, walk: Walk, to: int) -> Illegal:
        """Why the walk does not go on to this square."""
        here, over = walk.route[-1], (walk.route[-1] + to) // 2
        if len(walk.route) > 1 and not walk.captured:
            return Illegal("turn-ended", NAMES[to])
        if to in self.rules.step_table[here]:
            if walk.captured:
                return Illegal("cannot-mix", NAMES[to])
            return Illegal("landing-occupied" if walk.board[to] != EMPTY else "capture-mandatory", NAMES[to])
        if to not in self.rules.hop_table[here]:
            return Illegal("no-such-line", NAMES[to])
        if walk.board[to] != EMPTY:
            return Illegal("landing-occupied", NAMES[to])
        return Illegal("nothing-to-jump" if walk.board[over] == EMPTY else "own-piece-jumped", NAMES[over])


def hopped_over(move: str) -> list[str]:
    """The squares that the route of a move hops over."""
    route = [SQUARES[name] for name in squares(move)]
    hops = [
        (here, to)
        for here, to in zip(route, route[1:])
        if abs(here % SIZE - to % SIZE) > 1 or abs(here // SIZE - to // SIZE) > 1
    ]
    return [NAMES[(here + to) // 2] for here, to in hops]


def put(board: str, square: int, man: str) -> str:
    return board[:square] + man + board[square + 1 :]
