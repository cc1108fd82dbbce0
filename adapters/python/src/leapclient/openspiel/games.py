"""The games, and how each is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, Mapping, Optional, Sequence, Tuple

from .boards import MORRIS_LINES, Grid, fen_grid, grid_of, morris_grid, triangle
from .hive import hive_texts
from .library import State
from .texts import (
    amazons, as_it_is, dropped_disc, from_below, go_vertex, last_word, nine_mens_morris, own, pile_and_number,
    row_and_column, uci, ultimate, without_marks, xiangqi)

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
