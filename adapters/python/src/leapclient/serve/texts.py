"""Squares, positions and moves as text, SPEC chapter 9."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Dict, List, Mapping, Tuple

from .wire import MOST, BadPosition, Illegal

if TYPE_CHECKING:
    from .game import Game, Position

ELEMENT = r"[a-wyz][1-9][0-9]*|[@x][a-z][1-9][0-9]*"
SHAPE = re.compile(f"(?:{ELEMENT})+")
ROUTE = re.compile("(?:[a-wyz][1-9][0-9]*)+(?:@[a-z][1-9][0-9]*)*")
MOST_SQUARES = 1024  # of a move text (SPEC 9.26)
PASS = "pass"
FIELDS = ("board", "side", "extra", "quiet", "ply")


def square(file: int, rank: int) -> str:
    """The name of a square; file and rank count from 0."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def squares(move: str) -> List[str]:
    """The squares that a move text names, in its order: `squares("c7c8@b1")` is `["c7", "c8", "b1"]`."""
    return [] if move == PASS else re.findall("[a-wyz][0-9]+", move)


def tokens(move: str) -> List[str]:
    """The tokens of a well-formed move text (SPEC 4.25)."""
    return [PASS] if move == PASS else re.findall(ELEMENT, move)


def order(move: str, index: Mapping[str, int]) -> List[Tuple[int, int]]:
    """What moves are sorted by (SPEC 9.27). A single token has its place too (4.25)."""
    return [(2, 0) if token == PASS else (token[0] == "@", index[token.lstrip("@x")]) for token in tokens(move)]


def read_move(game: Game, text: str) -> List[str]:
    """The tokens of a move text that a client has sent, or Illegal with a reason of the text (SPEC 6.9)."""
    text = text.lower()
    if game.passes and text == PASS:
        return [PASS]
    found = tokens(text) if SHAPE.fullmatch(text) else []
    if len(found) > MOST_SQUARES:
        raise Illegal("too-long")
    if not found or not (ROUTE.fullmatch(text) or text.startswith("x")):
        raise Illegal("bad-text")
    if any(token.lstrip("@x") not in game.index for token in found):
        raise Illegal("off-board")
    return found


def position_text(game: Game, position: Position) -> str:
    """The text of a position (SPEC 9.7)."""
    ranks = []
    for rank in reversed(range(game.ranks)):
        names = game.square_names[rank * game.files : (rank + 1) * game.files]
        runs = groupby(position.board.get(name, "") for name in names)
        ranks.append("".join(piece * len(list(run)) if piece else str(len(list(run))) for piece, run in runs))
    return f"{'/'.join(ranks)} {position.side} {position.extra} {position.quiet} {position.ply}"


def start(game: Game) -> str:
    """The whole position text of the start."""
    given = game.start.split()
    return " ".join([*given, *("", "1", "-", "0", "0")[len(given) :]])


def read_position(game: Game, text: str) -> Position:
    """The position of a text with single blanks, or BadPosition."""
    from .game import Position

    fields = text.split(" ")
    shapes = ("", "[12]", game.extra, "", "")
    column = 1
    for name, shape, field in zip(FIELDS, shapes, fields):
        if name == "board":
            board = read_board(game, field)
        elif not (re.fullmatch(shape, field) if shape else is_count(field)):
            raise BadPosition(name, column, f"expected another {name}, found {field[:20]!a}")
        column += len(field) + 1
    if len(fields) < len(FIELDS):
        raise BadPosition(FIELDS[len(fields)], len(text) + 1, f"expected a field {FIELDS[len(fields)]}")
    if len(fields) > len(FIELDS):
        raise BadPosition("ply", column, "nothing may follow the fifth field")
    position = Position(board, int(fields[1]), fields[2], int(fields[3]), int(fields[4]))
    why = game.refused(position)
    if why:
        raise BadPosition("board", 1, why)
    return position


def read_board(game: Game, text: str) -> Dict[str, str]:
    """The pieces by their squares: all ranks are there, all of one width (SPEC 9.8 to 9.10)."""
    ranks = text.split("/")
    column, board = 1, {}
    for up, rank in enumerate(ranks, 1):
        pieces: List[str] = []
        for run in re.findall("[0-9]+|[A-Za-z]~?|.", rank):
            is_run = len(run) <= 2 and run.isdigit() and run[0] != "0"
            if not is_run and run not in game.pieces:
                pieces = []
                break
            pieces += [""] * int(run) if is_run else [run]
        if len(pieces) != game.files or up > game.ranks:
            size = f"{game.ranks} ranks of {game.files} squares"
            raise BadPosition("board", column, f"expected {size}, found {rank[:20]!a}")
        for file, piece in enumerate(pieces):
            name = square(file, game.ranks - up)
            if piece and name not in game.index:
                raise BadPosition("board", column, f"expected no piece on {name}, which the board lacks")
            if piece:
                board[name] = piece
        column += len(rank) + 1
    if len(ranks) < game.ranks:
        raise BadPosition("board", column - 1, f"expected {game.ranks} ranks, found {len(ranks)}")
    return {name: board[name] for name in game.square_names if name in board}


def is_count(text: str) -> bool:
    """Whether this is a number as quiet and ply are written (SPEC 9.15)."""
    return bool(re.fullmatch("0|[1-9][0-9]{0,6}", text)) and int(text) <= MOST
