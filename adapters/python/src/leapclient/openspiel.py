"""The two-player board games of OpenSpiel as one engine: a referee for `leap match`, and a sparring player.

    pip install open_spiel
    leap match --game othello --referee openspiel ...

Needs `open_spiel` from PyPI. Each game has the move texts that the engines of this game use: docs/bridges.md has a
table.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import (Any, Callable, Dict, FrozenSet, Iterator, List, Mapping, NamedTuple, NoReturn, Optional, Sequence,
                    Tuple)

from .serve import Ending, Game, Illegal, Option, PartialMove, Position, serve
from .serve.game import ONGOING
from .serve.search import DEEPEST, LONGEST_RANDOM_GAME, RANDOM_WIN, Ended, Line, Search
from .serve.wire import BadPosition, Refused

pyspiel: Any = None
with contextlib.suppress(ImportError):  # `main` says what is missing
    pyspiel = importlib.import_module("pyspiel")

State = Any  # a state of OpenSpiel
Grid = List[str]  # the ranks from the lowest on, a character for each square
FIRST_GAMES = 100  # random games of the first depth; each further depth has twice as many
EXPLORATION = 1.4
MOST_LINES = 16  # files and ranks of a board that a client can draw (SPEC 9.33)


# Move texts


def square(column: int, rank: int) -> str:
    """Both count from 0."""
    return f"{chr(ord('a') + column)}{rank + 1}"


def numbers(text: str) -> List[int]:
    return [int(number) for number in re.findall("[0-9]+", text)]


def own(state: State, action: int) -> str:
    """OpenSpiel's own text as one word."""
    return re.sub(r"[\s_]+", "-", state.action_to_string(action).strip()).lower()


def last_word(state: State, action: int) -> str:
    """Without the player's mark: `B d4` is `d4`, and `X From ...` is told by others."""
    text: str = state.action_to_string(action)
    return text.split()[-1].lower()


def without_marks(state: State, action: int) -> str:
    """Squares alone: `c1xa3` and `b1-d3` and `c4b5*` are `c1a3`, `b1d3` and `c4b5`."""
    return re.sub("[^a-z0-9]|x(?=[a-z])", "", state.action_to_string(action))


def row_and_column(state: State, action: int) -> str:
    """`x(0,2)` of a board whose first row is the highest rank."""
    row, column = numbers(state.action_to_string(action))[-2:]
    return square(column, len(lines(state)) - 1 - row)


def go_vertex(state: State, action: int) -> str:
    """Vertices leave out the letter I, squares do not."""
    vertex = last_word(state, action)
    return chr(ord(vertex[0]) - 1) + vertex[1:] if vertex != "pass" and vertex[0] > "i" else vertex


def from_below(state: State, action: int) -> str:
    """The player who begins has the highest ranks in OpenSpiel, and the lowest here (SPEC 9.2)."""
    ranks = len(lines(state))
    text = without_marks(state, action)
    return re.sub("[0-9]+", lambda rank: str(ranks + 1 - int(rank.group())), text)


def uci(state: State, action: int) -> str:
    """As UCI engines write it, castling by the king's two squares. A drop of Crazyhouse is `P@e4`."""
    text: str = state.action_to_string(action)
    if "@" in text:
        return text.rstrip("+#")
    rules = pyspiel.crazyhouse if isinstance(state, pyspiel.CrazyhouseState) else pyspiel.chess
    return str(rules.action_to_move(action, state.board()).to_lan())


def as_it_is(state: State, action: int) -> str:
    """SAN in Antichess, USI in Shogi."""
    return str(state.action_to_string(action))


def dropped_disc(state: State, action: int) -> str:
    """The square where the disc comes to rest."""
    rows = grid_of(".xo")(state)
    return square(action, next(rank for rank, row in enumerate(rows) if row[action] == "."))


def amazons(state: State, action: int) -> str:
    """From, to and shot are three actions of one move: `d1d7@g7`."""
    text = state.action_to_string(action)
    row, column = numbers(text)
    return ("@" if "Shoot" in text else "") + square(column - 1, len(lines(state)) - row)


def xiangqi(state: State, action: int) -> str:
    """As UCI engines write it, with ranks from 1 to 10."""
    row, column, to_row, to_column = numbers(state.action_to_string(action))
    return square(column, 9 - row) + square(to_column, 9 - to_row)


MILLS = [(column, row) for row, columns in enumerate(["adg", "bdf", "cde", "abcefg", "cde", "bdf", "adg"])
         for column in columns]


def nine_mens_morris(state: State, action: int) -> str:
    """`d6`, `d6d7`, and a man taken from a mill as a move of its own, `xg7`."""
    text = state.action_to_string(action)
    points = [f"{MILLS[point][0]}{7 - MILLS[point][1]}" for point in numbers(text)]
    is_taken = text.startswith("Point") and dict(morris_points(state))[points[0]] != "."
    return ("x" if is_taken else "") + "".join(points)


def ultimate(state: State, action: int) -> str:
    """The square alone: it tells the small board too."""
    text = state.action_to_string(action)
    if text.startswith("Choose"):
        return ""
    board, row, column = numbers(text)
    return square(board % 3 * 3 + column, 8 - (board // 3 * 3 + row))


def pile_and_number(state: State, action: int) -> str:
    return "-".join(map(str, numbers(state.action_to_string(action))))


# Hive: a destination has one text, whatever neighbour is named (adapters/bridge/src/uhp/hive.rs).

SIDES = {"{}-": (1, 0), "{}/": (1, -1), "{}\\": (0, 1), "-{}": (-1, 0), "/{}": (-1, 1), "\\{}": (0, -1)}


def stacks(state: State) -> Dict[Tuple[int, int], List[str]]:
    """The pieces in each cell, from the lowest on."""
    found: Dict[Tuple[int, int], List[str]] = {}
    for text in str(state).split(";")[3:]:
        piece, cell = hive_move(found, text)
        if piece:
            before = next((cell for cell, stack in found.items() if piece in stack), None)
            if before is not None:
                found[before].remove(piece)
                if not found[before]:
                    del found[before]
            found.setdefault(cell, []).append(piece)
    return found


def hive_move(found: Mapping[Tuple[int, int], List[str]], text: str) -> Tuple[str, Tuple[int, int]]:
    """The piece of a MoveString and its destination; no piece if it is a pass."""
    piece, _, place = text.partition(" ")
    if piece == "pass" or not place:
        return ("" if piece == "pass" else piece), (0, 0)
    name = place.strip("-/\\")
    column, row = next(cell for cell, stack in found.items() if name in stack)
    right, down = (0, 0) if place == name else SIDES[place.replace(name, "{}")]
    return piece, (column + right, row + down)


def hive_text(found: Mapping[Tuple[int, int], List[str]], text: str) -> str:
    """The one text of a MoveString: it names the top of what it covers, or else the neighbour that comes first."""
    piece, (column, row) = hive_move(found, text)
    if not piece:
        return "pass"

    def top(column: int, row: int) -> str:
        stack = found.get((column, row), [])
        return next((other for other in reversed(stack) if other != piece), "")

    names = [(top(column - right, row - down), side) for side, (right, down) in SIDES.items()]
    named = min(((name, side.format(name)) for name, side in names if name), default=("", ""))[1]
    place = top(column, row) or named
    return f"{piece}_{place}" if place else piece


def hive_texts(state: State) -> Dict[str, Tuple[int, ...]]:
    """OpenSpiel lists a destination once for each neighbour. Men of a kind are put down in the order of their numbers,
    as the engines of UHP do."""
    found = stacks(state)
    texts: Dict[str, Tuple[int, ...]] = {}
    placed = {piece for stack in found.values() for piece in stack}
    for action in state.legal_actions():
        move = state.action_to_string(action)
        piece = move.partition(" ")[0]
        number = piece[2:]
        is_later = number.isdigit() and number != "1"  # which a pass is not
        if piece in placed or not is_later or f"{piece[:2]}{int(number) - 1}" in placed:
            texts[hive_text(found, move)] = (action,)
    return texts


# Boards


def lines(state: State) -> List[str]:
    """The lines of OpenSpiel's picture that are ranks: those with as many squares as most lines have."""
    return grid_of(".#XOxobw")(state)


def grid_of(squares: str, label: int = 0, is_upward: bool = False) -> Callable[[State], Grid]:
    """Ranks are lines with as many of these characters as most lines have. `label` characters before them are skipped.
    In `is_upward` pictures the first line is the lowest rank."""

    def grid(state: State) -> Grid:
        rows = ["".join(char for char in line[label:] if char in squares) for line in str(state).splitlines()]
        width = Counter(len(row) for row in rows if len(row) > 1).most_common(1)[0][0]
        rows = [row for row in rows if len(row) == width]
        return rows if is_upward else rows[::-1]

    return grid


def fen_grid(state: State) -> Grid:
    rows = str(state).split()[0].split("/")
    return [re.sub("[0-9]+", lambda run: "." * int(run.group()), row) for row in rows[::-1]]


def triangle(state: State) -> Grid:
    """Y: each row has a hexagon less than the one before it."""
    rows = [re.sub("[^.@O]", "", line[3:]) for line in str(state).splitlines() if re.match(" *[0-9]", line)]
    return [row.ljust(len(rows), " ") for row in rows]


def morris_points(state: State) -> List[Tuple[str, str]]:
    columns = {0: "a", 2: "b", 4: "c", 7: "d", 10: "e", 12: "f", 14: "g"}
    rows = str(state).splitlines()[:13:2]
    return [(f"{columns[at]}{7 - row}", char) for row, line in enumerate(rows)
            for at, char in enumerate(line) if char in ".WB"]


def morris_grid(state: State) -> Grid:
    points = dict(morris_points(state))
    return ["".join(points.get(square(file, rank), " ") for file in range(7)) for rank in range(7)]


RINGS = [("a1 d1 g1 g4 g7 d7 a7 a4", "d1d2 g4f4 d7d6 a4b4"), ("b2 d2 f2 f4 f6 d6 b6 b4", "d2d3 f4e4 d6d5 b4c4"),
         ("c3 d3 e3 e4 e5 d5 c5 c4", "")]
MORRIS_LINES = [pair for ring, spokes in RINGS
                for points in [ring.split()]
                for pair in [*zip(points, points[1:] + points[:1]),
                             *((spoke[:2], spoke[2:]) for spoke in spokes.split())]]

STONES = {"x": "M", "o": "m"}  # what a square holds, and the piece text (SPEC 9.8)


@dataclass(frozen=True)
class Telling:
    """How a game of OpenSpiel is told."""

    text: Callable[[State, int], str] = own
    grid: Optional[Callable[[State], Grid]] = None
    pieces: Mapping[str, str] = field(default_factory=dict)  # characters of the grid; p1's texts are upper case
    kind: str = "cells"
    colours: Tuple[str, str] = ("black", "white")
    lines: Sequence[Tuple[str, str]] = ()
    fen: bool = False  # OpenSpiel reads the position texts that it writes
    counted: bool = False  # points decide at the end
    whole: bool = False  # actions of one player in a row are one move
    listed: Optional[Callable[[State], Dict[str, Tuple[int, ...]]]] = None


def letters(text: str) -> Dict[str, str]:
    return {letter: letter for letter in text}


CHESS = letters("PNBRQKpnbrqk")
WHITE_FIRST = ("white", "black")
GAMES: Dict[str, Telling] = {
    "amazons": Telling(amazons, grid_of(".XO#"), {"X": "A", "O": "a", "#": "W"}, colours=WHITE_FIRST, whole=True),
    "antichess": Telling(as_it_is, fen_grid, CHESS, colours=WHITE_FIRST, fen=True),
    "breakthrough": Telling(from_below, grid_of(".bw", 1, True), {"b": "M", "w": "m"}),
    "checkers": Telling(without_marks, grid_of(".o+8*", 1), {"o": "M", "8": "K", "+": "m", "*": "k"}, whole=True,
                        colours=WHITE_FIRST),
    "chess": Telling(uci, fen_grid, CHESS, colours=WHITE_FIRST, fen=True),
    "chinese_checkers": Telling(),
    "clobber": Telling(without_marks, grid_of(".ox", 1), {"o": "M", "x": "m"}, colours=WHITE_FIRST),
    "connect_four": Telling(dropped_disc, grid_of(".xo"), STONES, colours=WHITE_FIRST),
    "crazyhouse": Telling(uci, fen=True, colours=WHITE_FIRST),
    "cursor_go": Telling(grid=grid_of("+XO"), pieces={"X": "M", "O": "m"}, kind="points", counted=True),
    "dots_and_boxes": Telling(lambda state, action: own(state, action).split("(")[1].rstrip(")").replace(",", ""),
                              counted=True),
    "go": Telling(go_vertex, grid_of("+XO"), {"X": "M", "O": "m"}, kind="points", counted=True),
    "gomoku": Telling(row_and_column, grid_of(".bw"), {"b": "M", "w": "m"}, kind="points"),
    "havannah": Telling(),
    "hex": Telling(last_word, grid_of(".xyzXopqO", 0, True),
                   {**dict.fromkeys("xyzX", "M"), **dict.fromkeys("opqO", "m")}, kind="hexagons"),
    "hive": Telling(listed=hive_texts, colours=WHITE_FIRST),
    "lines_of_action": Telling(without_marks, grid_of(".xo", 1), STONES),
    "mancala": Telling(counted=True),
    "mnk": Telling(row_and_column, grid_of(".xo"), STONES),
    "nim": Telling(pile_and_number),
    "nine_mens_morris": Telling(nine_mens_morris, morris_grid, {"W": "M", "B": "m"}, kind="points",
                                colours=WHITE_FIRST, lines=MORRIS_LINES),
    "othello": Telling(own, grid_of("-xo", 2, True), STONES, counted=True),
    "oware": Telling(counted=True),
    "pentago": Telling(own, grid_of(".@O", 2, True), {"@": "M", "O": "m"}),
    "quoridor": Telling(),
    "shogi": Telling(as_it_is, fen=True),
    "tic_tac_toe": Telling(row_and_column, grid_of(".xo"), STONES),
    "twixt": Telling(lambda state, action: own(state, action)[1:]),
    "ultimate_tic_tac_toe": Telling(ultimate, grid_of(".xo"), STONES, whole=True),
    "xiangqi": Telling(xiangqi, grid_of(".RHEAGCSrheagcs"), letters("RHEAGCSrheagcs"), kind="points",
                       colours=("red", "black")),
    "y": Telling(last_word, triangle, {"@": "M", "O": "m"}, kind="hexagons"),
}


# Games


class Board(Mapping[str, str]):
    """The pieces by their squares, looked for when somebody asks."""

    def __init__(self, telling: Telling, state: State) -> None:
        self.telling, self.state = telling, state

    @cached_property
    def pieces(self) -> Dict[str, str]:
        rows = self.telling.grid(self.state) if self.telling.grid else []
        return {square(file, rank): self.telling.pieces[char] for rank, row in enumerate(rows)
                for file, char in enumerate(row) if char in self.telling.pieces}

    def __getitem__(self, name: str) -> str:
        return self.pieces[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True)
class SpielPosition(Position):
    """A position with its state. `extra` has the actions that led to it: many games depend on more than the board."""

    game: Any = None
    state: State = None

    @cached_property
    def key(self) -> Tuple[FrozenSet[Tuple[str, str]], int, str]:
        """OpenSpiel itself counts repetitions: no position of a game is the same as another."""
        return frozenset(), self.ply, ""

    @cached_property
    def moves(self) -> Dict[str, Tuple[int, ...]]:
        """The legal moves, each with its actions."""
        telling: Telling = self.game.telling
        if self.state.is_terminal():
            return {}
        if telling.listed:
            return telling.listed(self.state)
        if telling.whole:
            return dict(whole_moves(telling, self.state, "", ()))
        return {telling.text(self.state, action): (action,) for action in self.state.legal_actions()}


def spiel(position: Position) -> SpielPosition:
    """Every position of these games has a state."""
    assert isinstance(position, SpielPosition)
    return position


def whole_moves(telling: Telling, state: State, begun: str, actions: Tuple[int, ...]
                ) -> Iterator[Tuple[str, Tuple[int, ...]]]:
    """The moves that begin so: actions are added until the other player is to move."""
    for action in state.legal_actions():
        text, child = telling.text(state, action), state.child(action)
        # The next jump begins on the square where this one has ended.
        text = begun + (text[len(text) // 2:] if begun and text[:len(text) // 2] == begun[-(len(text) // 2):] else text)
        if not child.is_terminal() and child.current_player() == state.current_player():
            yield from whole_moves(telling, child, text, (*actions, action))
        else:
            yield text, (*actions, action)


class SpielMove(PartialMove):
    """A move is entered as a whole."""

    def __init__(self, game: SpielGame, position: SpielPosition, move: str = "") -> None:
        self.game, self.position, self.move = game, position, move

    def tokens(self) -> List[str]:
        return [] if self.move else self.game.moves(self.position)

    def take(self, token: str) -> PartialMove:
        if self.move:
            raise Illegal("turn-ended")
        move = self.game.meant(self.position, token)
        if move is None:
            raise Illegal("not-legal", text="the rules do not list it here")
        return SpielMove(self.game, self.position, move)

    def finish(self) -> str:
        if not self.move:
            raise Illegal("incomplete")
        return self.move

    def end_effects(self) -> List[str]:
        return self.game.effects(self.position, self.move)


class SpielGame(Game):
    """A game of OpenSpiel."""

    repetitions = max_plies = 0

    def __init__(self, name: str) -> None:
        self.name, self.telling = name, GAMES[name]
        self.kind, self.lines, self.colours = self.telling.kind, self.telling.lines, self.telling.colours
        arrow = {"W": ("arrow", 0)} if name == "amazons" else {}
        texts = dict.fromkeys(self.telling.pieces.values())
        self.pieces = {**{text: (text, 1 if text.isupper() else 2) for text in texts}, **arrow}
        super().__init__()

    def rule_options(self) -> Dict[str, Option]:
        return {
            "BoardSize": Option("spin", "0", (0, 25)),  # 0: the game's own
            "Komi": Option("string", "-"),
            "Parameters": Option("string", "-"),  # in OpenSpiel's words, as in `uses_mosquito=false`
        }

    def configure(self) -> None:
        kind = next(kind for kind in pyspiel.registered_games() if kind.short_name == self.name)
        specified, given = kind.parameter_specification, {}
        size, komi, words = (self.settings[name] for name in ("BoardSize", "Komi", "Parameters"))
        if size != "0":
            sides = [("board_size",), ("size",), ("rows", "columns"), ("m", "n")]
            named = next((names for names in sides if set(names) <= set(specified)), ())
            given.update(dict.fromkeys(named, size))
        if komi != "-" and "komi" in specified:
            given["komi"] = str(float(komi)) if re.fullmatch("-?[0-9]{1,4}([.][0-9]{1,2})?", komi) else komi
        if words != "-":
            given.update(pair.partition("=")[::2] for pair in words.split(","))
        if self.name == "twixt":
            given.setdefault("ansi_color_output", "false")
        text = ",".join(f"{name}={value}" for name, value in given.items())
        try:
            self.rules = pyspiel.load_game(f"{self.name}({text})")
            start = self.rules.new_initial_state()
        except Exception as error:
            raise Refused("bad-argument", f"OpenSpiel refuses {self.name}({text}): {error}") from None
        self.title = kind.long_name
        self.first = start.current_player()
        rows = self.telling.grid(start) if self.telling.grid else []
        self.drawn = 0 < len(rows) <= MOST_LINES and len(rows[0]) <= MOST_LINES
        self.ranks, self.files = (len(rows), len(rows[0])) if self.drawn else (1, 1)
        self.holes = [square(file, rank) for rank, row in enumerate(rows) for file, char in enumerate(row)
                      if char == " "] if self.drawn else []
        for name in ("square_names", "index"):
            self.__dict__.pop(name, None)
        if self.drawn and self.kind == "points" and not self.telling.lines:
            self.lines = [(name, other) for name in self.square_names
                          for other in (self.step(name, 1, 0), self.step(name, 0, 1)) if other]

    def position(self, state: State, last: int, ply: int) -> SpielPosition:
        """A position; after the end of the game the player who has not moved last is to move."""
        player = state.current_player()
        side = 3 - last if player < 0 else 1 if player == self.first else 2
        actions = ".".join(map(str, state.history())) or "-"
        return SpielPosition(Board(self.telling, state) if self.drawn else {}, side, actions, 0, ply, self, state)

    def start_position(self) -> Position:
        return self.position(self.rules.new_initial_state(), 2, 0)

    def read_position(self, text: str) -> Position:
        """A position text of chess, or one that this engine has written."""
        fields = text.split()
        try:
            if self.telling.fen:
                return self.position(self.rules.new_initial_state(text), 2, 0)
            state = self.rules.new_initial_state()
            for action in fields[2].split(".") if fields[2] != "-" else []:
                if state.is_terminal() or int(action) not in state.legal_actions():
                    raise ValueError
                state.apply_action(int(action))
            position = self.position(state, 3 - int(fields[1]), int(fields[4]))
            if self.position_text(position) != " ".join(fields):
                raise ValueError
            return position
        except Exception:
            raise BadPosition("board", 1, "expected a position that this engine has written") from None

    def adopted(self, position: Position) -> Position:
        """The start, whatever its size is now, or the position with the same text."""
        if position.ply == 0 and position.extra == "-":
            return self.start_position()
        try:
            return self.read_position(self.position_text(position))
        except BadPosition as error:
            raise error.refused from None

    def position_text(self, position: Position) -> str:
        return str(spiel(position).state) if self.telling.fen else super().position_text(position)

    def read_move(self, text: str) -> List[str]:
        return [text]

    def meant(self, position: SpielPosition, text: str) -> Optional[str]:
        """The legal move that a text means."""
        if text in position.moves:
            return text
        if self.name == "hive":  # another neighbour may be named
            try:
                text = hive_text(stacks(position.state), text.replace("_", " "))
            except (KeyError, StopIteration):
                return None
        folded = [move for move in position.moves if move.lower() == text.lower()]
        return folded[0] if len(folded) == 1 else None

    def partial_move(self, position: Position) -> PartialMove:
        return SpielMove(self, spiel(position))

    def moves(self, position: Position) -> List[str]:
        return sorted(spiel(position).moves)

    def play(self, position: Position, move: str) -> Position:
        before = spiel(position)
        state = before.state.clone()
        for action in before.moves[move]:
            state.apply_action(action)
        return self.position(state, position.side, position.ply + 1)

    def ending(self, position: Position, occurrences: int) -> Ending:
        state = spiel(position).state
        if not state.is_terminal():
            return ONGOING
        own_return, other = state.returns()[self.first], state.returns()[1 - self.first]
        result = "draw" if own_return == other else "p1win" if own_return > other else "p2win"
        return Ending(result, "count" if self.telling.counted else "no-moves")

    def counts(self, position: Position) -> Dict[str, str]:
        return {}

    def search(self, positions: Sequence[Position], stop: Event, nodes: Optional[int],
               seconds: Optional[float]) -> Search:
        return TreeSearch(self, positions, stop, nodes, seconds)


# The player: Monte Carlo tree search, a random game for each new position


class Node(NamedTuple):
    """Statistics of the moves of a position: visits, and the sum of results for the side that moves."""

    moves: Sequence[str]
    visits: List[int]
    sums: List[float]

    @classmethod
    def of(cls, moves: Sequence[str]) -> Node:
        return cls(moves, [0] * len(moves), [0.0] * len(moves))

    def most_promising(self) -> int:
        """The index of the move with the highest upper confidence bound."""
        if 0 in self.visits:
            return self.visits.index(0)
        total = math.log(sum(self.visits))
        bounds = [mean / visits + EXPLORATION * math.sqrt(total / visits)
                  for mean, visits in zip(self.sums, self.visits)]
        return bounds.index(max(bounds))

    def lines(self) -> List[Line]:
        """All moves with their scores, those most visited first."""
        order = sorted(range(len(self.moves)), key=lambda at: -self.visits[at])
        return [Line(int(RANDOM_WIN * self.sums[at] / max(1, self.visits[at])), [self.moves[at]]) for at in order]


class TreeSearch(Search):
    """Its nodes are random games."""

    def __init__(self, game: Game, positions: Sequence[Position], stop: Event, nodes: Optional[int],
                 seconds: Optional[float]) -> None:
        super().__init__(game, positions, stop, nodes, seconds)
        self.tree: Dict[str, Node] = {}

    def iterate(self, moves: List[str], depth: int) -> Iterator[Tuple[int, List[Line]]]:
        """Depths have twice as many random games as the one before. All root moves, those most visited first."""
        root = Node.of(moves)
        for plies in range(1, min(depth, DEEPEST) + 1):
            is_last = False
            try:
                for _ in range(FIRST_GAMES * 2 ** (plies - 1)):
                    self.grow(spiel(self.root), root, "")
            except Ended:
                is_last = True
            if self.nodes:
                yield plies, root.lines()
            if is_last:
                return

    def grow(self, position: SpielPosition, node: Node, path: str) -> List[float]:
        """Follows the most promising move to a position that is new, and returns both players' results there."""
        at, player = node.most_promising(), position.state.current_player()
        child, path = spiel(self.game.play(position, node.moves[at])), f"{path} {node.moves[at]}"
        if path in self.tree:
            results = self.grow(child, self.tree[path], path)
        else:
            self.visit()
            if not child.state.is_terminal():
                self.tree[path] = Node.of(self.game.moves(child))
            results = self.played_out(child.state.clone())
        node.visits[at] += 1
        node.sums[at] += max(-1.0, min(1.0, results[player]))
        return results

    def played_out(self, state: State) -> List[float]:
        """Both players' results of a game of random moves."""
        for _ in range(LONGEST_RANDOM_GAME):
            if state.is_terminal():
                break
            state.apply_action(self.random.choice(state.legal_actions()))
        return list(state.returns())


def main() -> NoReturn:
    """Serves all games that the installed OpenSpiel has."""
    if pyspiel is None:
        sys.exit("openspiel: expected the package open_spiel, found none: pip install open_spiel")
    known = set(pyspiel.registered_names())
    serve(*(SpielGame(name) for name in GAMES if name in known))


if __name__ == "__main__":
    main()
