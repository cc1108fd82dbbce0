"""Boards, as OpenSpiel draws them in letters."""

from __future__ import annotations

import re
from collections import Counter
from typing import Callable, List, Tuple

from .library import State

Grid = List[str]  # the ranks from the lowest on, a character for each square


def square(column: int, rank: int) -> str:
    """Both count from 0."""
    return f"{chr(ord('a') + column)}{rank + 1}"


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
