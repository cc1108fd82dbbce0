"""The rules of Alquerque and its notation, from SPEC chapters 9 to 11."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

SIZE = 5
NAMES = [f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcde"]
SQUARES = {name: index for index, name in enumerate(NAMES)}
EMPTY = "."
MEN = {1: "M", 2: "m"}
MOST = 1_000_000  # of quiet, ply and the limits (SPEC 9.15)

ELEMENT = r"[a-wyz][1-9][0-9]*|[@x][a-z][1-9][0-9]*"
SHAPE = re.compile(f"(?:{ELEMENT})+")
ROUTE = re.compile("((?:[a-wyz][1-9][0-9]*)+)((?:@[a-z][1-9][0-9]*)*)")
MOST_SQUARES = 1024  # of a move text (SPEC 9.26)


class BadPosition(Exception):
    """A position text that is refused (SPEC 6.5): the field, the column in the text, and why."""


class Illegal(Exception):
    """A move that is not legal: the reason of SPEC 6.8 and the square that it names, or `-`."""


class Position(NamedTuple):
    """What a position text says (SPEC 9.7); the board has one character for each square, by index."""

    board: str
    side: int
    quiet: int
    ply: int

    def __str__(self) -> str:
        ranks = [self.board[start : start + SIZE] for start in range(0, SIZE * SIZE, SIZE)]
        texts = [re.sub(r"\.+", lambda run: str(len(run.group())), rank) for rank in reversed(ranks)]
        return f"{'/'.join(texts)} {self.side} - {self.quiet} {self.ply}"

    @property
    def same(self) -> tuple[str, int]:
        """What two positions have in common that are the same for repetition (SPEC 10.10)."""
        return self.board, self.side


class Walk(NamedTuple):
    """A man on its way, and so a move when it may stop. The board is the one without the man (SPEC 10.3)."""

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


class Ending(NamedTuple):
    """Result and reason, as `query status` writes them."""

    result: str
    reason: str


ONGOING = Ending("none", "none")


class Rules:
    """The rules with the values of their options. The engine that breaks them overrides a method or two."""

    start = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0"  # SPEC 11.4
    most_men = 12  # of one player in a position text (SPEC 9.17)
    repetitions = 3  # the occurrence of a position that ends the game (SPEC 10.12)

    def __init__(self, mandatory: bool, quiet_limit: int, max_plies: int) -> None:
        self.mandatory, self.quiet_limit, self.max_plies = mandatory, quiet_limit, max_plies
        self.step_table = [self.along_lines(square, 1) for square in range(SIZE * SIZE)]
        self.hop_table = [self.along_lines(square, 2) for square in range(SIZE * SIZE)]

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
        own = MEN[position.side]
        men = [square for square, man in enumerate(position.board) if man == own]
        walks = [Walk((man,), own, put(position.board, man, EMPTY), frozenset(), True) for man in men]
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
        return self.listed(moves)

    def listed(self, moves: list[Walk]) -> list[Walk]:
        return sorted(moves, key=lambda move: move.route)

    def legal(self, position: Position) -> list[Walk]:
        """The legal moves, repetition aside: none where a limit has ended the game (SPEC 10.6, 10.17)."""
        return [] if self.limit(position) else self.generate(position)

    def play(self, position: Position, move: Walk) -> Position:
        board = put(move.board, move.route[-1], move.man)
        return Position(board, 3 - position.side, self.quiet_after(position, move), position.ply + 1)

    def quiet_after(self, position: Position, move: Walk) -> int:
        """SPEC 9.13."""
        return 0 if move.captured else position.quiet + 1

    # The end

    def ending(self, position: Position, occurrences: int) -> Ending:
        """How the game stands in a position that has occurred this often (SPEC 10.7)."""
        if not self.generate(position):
            return Ending(self.stuck(position), "no-moves")
        reason = self.limit(position) or ("repetition" if occurrences >= self.repetitions else None)
        return Ending(self.count(position.board), reason) if reason else ONGOING

    def stuck(self, position: Position) -> str:
        """SPEC 11.12."""
        return f"p{3 - position.side}win"

    def limit(self, position: Position) -> Optional[str]:
        """The limit that has been reached (SPEC 10.14, 11.14); 0 is none."""
        if 0 < self.quiet_limit <= position.quiet:
            return "quiet-limit"
        return "max-plies" if 0 < self.max_plies <= position.ply else None

    def count(self, board: str) -> str:
        """SPEC 11.13."""
        p1, p2 = board.count(MEN[1]), board.count(MEN[2])
        return "draw" if p1 == p2 else "p1win" if p1 > p2 else "p2win"

    # Texts

    def read_position(self, text: str) -> Position:
        """The position of a text with single blanks, or BadPosition."""
        fields = text.split(" ")
        columns = [1 + sum(len(field) + 1 for field in fields[:i]) for i in range(len(fields))]
        for i, (name, shape) in enumerate((("board", None), ("side", "[12]"), ("extra", "-"), ("quiet", ""), ("ply", ""))):
            if i == len(fields):
                raise BadPosition(name, len(text) + 1, f"the field {name} is missing")
            if shape is None:
                board = self.read_board(fields[0])
            elif not (re.fullmatch(shape, fields[i]) if shape else is_count(fields[i])):
                raise BadPosition(name, columns[i], f"expected another {name} than {fields[i][:20]!a}")
        if len(fields) > 5:
            raise BadPosition("ply", columns[5], "nothing may follow the fifth field")
        return Position(board, int(fields[1]), int(fields[3]), int(fields[4]))

    def read_board(self, text: str) -> str:
        """The squares by index; a board has all its ranks, all of one width, and not too many men (SPEC 9.8 to 9.17)."""
        ranks, column = [], 1
        for rank in text.split("/"):
            squares = re.sub("[1-5]", lambda run: EMPTY * int(run.group()), rank)
            if len(ranks) == SIZE or re.search("[^Mm1-5]|[1-5]{2}", rank) or len(squares) != SIZE:
                raise BadPosition("board", column, f"expected 5 ranks of 5 squares, found {rank[:20]!a}")
            ranks.append(squares)
            column += len(rank) + 1
        board = "".join(reversed(ranks))
        if len(ranks) < SIZE or any(board.count(man) > self.most_men for man in MEN.values()):
            raise BadPosition("board", column - 1, "expected 5 ranks, and 12 men of a player at most")
        return board

    def read_move(self, position: Position, text: str, over: bool) -> Walk:
        """The move that a text means (SPEC 9.26), or Illegal with the first reason in the order of SPEC 6.9."""
        walk, drops = self.read_walk(position, text, over)
        if len(walk.route) == 1:
            raise Illegal("incomplete", "-")
        if not self.may_stop(walk, self.onward(walk)):
            raise Illegal("must-continue", NAMES[walk.route[-1]])
        if drops:
            raise Illegal("drop-not-allowed", drops[0])
        return next(move for move in self.generate(position) if move.identity == walk.identity)

    def entered(self, position: Position, text: str, over: bool) -> tuple[Optional[Walk], Optional[Illegal]]:
        """The walk along as much of a text as begins a move, and why the rest is refused (SPEC 4.42)."""
        try:
            walk, drops = self.read_walk(position, text, over)
            return walk, Illegal("drop-not-allowed", drops[0]) if drops else None
        except Illegal as illegal:
            text = text.lower()
            names = re.findall(ELEMENT, text)[:MOST_SQUARES]
            for length in range(len(names), 0, -1):
                beginning = "".join(names[:length])
                if text.startswith(beginning) and (walk := self.begun(position, beginning, over)):
                    return walk, illegal
            return None, illegal

    def begun(self, position: Position, text: str, over: bool) -> Optional[Walk]:
        """The walk along a text, if a move begins with it."""
        try:
            walk, drops = self.read_walk(position, text, over)
            return None if drops else walk
        except Illegal:
            return None

    def read_walk(self, position: Position, text: str, over: bool) -> tuple[Walk, list[str]]:
        """The walk along the squares of a text, whole move or not, and the drops after it."""
        text = text.lower()  # SPEC 9.28
        elements = re.findall(ELEMENT, text) if SHAPE.fullmatch(text) else []
        if len(elements) > MOST_SQUARES:
            raise Illegal("too-long", "-")
        names = [element.lstrip("@x") for element in elements]
        if not elements or not (ROUTE.fullmatch(text) or text.startswith("x")):
            raise Illegal("bad-text", "-")
        if any(name not in SQUARES for name in names):
            raise Illegal("off-board", "-")
        if over:
            raise Illegal("game-over", "-")
        if text.startswith("x"):
            raise Illegal("no-removal", names[0])
        stops = [element for element in elements if not element.startswith("@")]
        walk = self.set_out(position, SQUARES[stops[0]])
        for name in stops[1:]:
            onward = {way.route[-1]: way for way in self.onward(walk)}
            if SQUARES[name] not in onward:
                raise self.refusal(walk, SQUARES[name])
            walk = onward[SQUARES[name]]
        return walk, names[len(stops) :]

    def set_out(self, position: Position, origin: int) -> Walk:
        """The man on the origin before its move, if it has one."""
        man = position.board[origin]
        if man == EMPTY:
            raise Illegal("empty-square", NAMES[origin])
        if man != MEN[position.side]:
            raise Illegal("not-your-piece", NAMES[origin])
        walk = next(walk for walk in self.starts(position) if walk.route == (origin,))
        if not self.onward(walk):
            raise Illegal("blocked" if not self.steps(walk) else "capture-mandatory", NAMES[origin])
        return walk

    def refusal(self, walk: Walk, to: int) -> Illegal:
        """Why the walk does not go on to this square."""
        here, over = walk.route[-1], (walk.route[-1] + to) // 2
        if len(walk.route) > 1 and not walk.captured:
            return Illegal("turn-ended", NAMES[to])
        if to in self.step_table[here]:
            if walk.captured:
                return Illegal("cannot-mix", NAMES[to])
            return Illegal("landing-occupied" if walk.board[to] != EMPTY else "capture-mandatory", NAMES[to])
        if to not in self.hop_table[here]:
            return Illegal("no-such-line", NAMES[to])
        if walk.board[to] != EMPTY:
            return Illegal("landing-occupied", NAMES[to])
        return Illegal("nothing-to-jump" if walk.board[over] == EMPTY else "own-piece-jumped", NAMES[over])


def put(board: str, square: int, man: str) -> str:
    return board[:square] + man + board[square + 1 :]


def is_count(text: str) -> bool:
    """Whether this is a number as quiet and ply are written (SPEC 9.15)."""
    return bool(re.fullmatch("0|[1-9][0-9]{0,6}", text)) and int(text) <= MOST
