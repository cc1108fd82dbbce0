"""The texts of moves, as the engines of each game write them."""

from __future__ import annotations

import re
from typing import List

from .boards import grid_of, lines, morris_points, square
from .library import State, pyspiel


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
