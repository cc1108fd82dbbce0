"""Boards as pictures: for a terminal, and as SVG for a notebook. The engine describes the board (SPEC 4.23, 9.8)."""

import functools
import html
import importlib.resources
import math
import re
import xml.etree.ElementTree as ElementTree
from typing import Dict, Iterable, List, Mapping, Sequence, Tuple, Union

from .model import Board

Arrow = Union[Tuple[str, str], Tuple[str, str, str]]
"""An arrow from a square to a square, perhaps in a colour as CSS has it."""

TOKEN = re.compile(r"[A-Za-z]~?|[0-9]{1,2}")
# The distance between two ranks of hexagons whose width is 1, and how far one stands out of a square of its width.
HEXAGON_STEP = math.sqrt(3) / 2
HEXAGON_PEAK = 1 / math.sqrt(3) - 0.5
HEXAGON = " ".join(f"{0.5 + math.cos(angle) / math.sqrt(3):.3f},{0.5 + math.sin(angle) / math.sqrt(3):.3f}"
                   for angle in (math.pi * (2 * corner + 1) / 6 for corner in range(6)))
# The colours of the page that `leap web` shows.
CELL, DARK, FRAME, WIRE, EDGE = "#efe2c6", "#dcc79d", "#b89b67", "#8a7145", "#675f54"
LAST, MARK = "#e9b44c66", "#0b4f46"
# What surrounds the board: the coordinates.
MARGIN = 0.5


def name(file: int, rank: int) -> str:
    """The square of a file and a rank, both from 0."""
    return f"{chr(97 + file)}{rank + 1}"


def pieces(fen: str, board: Board) -> Dict[str, str]:
    """The piece text on each square that has a piece, by a position text."""
    found = {}
    for row, rank in enumerate(fen.split(" ")[0].split("/")):
        file = 0
        for token in TOKEN.findall(rank):
            if token.isdigit():
                file += int(token)
            else:
                found[name(file, board.ranks - 1 - row)] = token
                file += 1
    return found


def text(fen: str, board: Board) -> str:
    """The board in letters, with a point for an empty square."""
    placed = pieces(fen, board)
    # Each rank of hexagons begins half a hexagon to the right of the rank below it (SPEC 9.32).
    is_shifted = board.kind == "hexagons"
    width = max((len(piece) for piece in placed.values()), default=1) + 1
    width += is_shifted and width % 2
    lines = []
    for rank in reversed(range(board.ranks)):
        squares = (name(file, rank) for file in range(board.files))
        cells = [" " if square in board.holes else placed.get(square, ".") for square in squares]
        shift = " " * (rank * width // 2 if is_shifted else 0)
        lines.append(f"{rank + 1:2} {shift}{''.join(cell.ljust(width) for cell in cells)}".rstrip())
    files = "".join(chr(97 + file).ljust(width) for file in range(board.files))
    return "\n".join([*lines, f"   {files}".rstrip()])


class Geometry:
    """Where squares are in a picture, in which a square has the size 1."""

    def __init__(self, board: Board, flipped: bool) -> None:
        self.board = board
        self.flipped = flipped
        self.is_hexagons = board.kind == "hexagons"
        self.width: float = board.files
        self.height: float = board.ranks
        if self.is_hexagons:
            self.width += (board.ranks - 1) / 2
            self.height = (board.ranks - 1) * HEXAGON_STEP + 1 + 2 * HEXAGON_PEAK

    def corner(self, square: str) -> Tuple[float, float]:
        """The upper left corner of a square."""
        file, rank = ord(square[0]) - 97, int(square[1:]) - 1
        column = self.board.files - 1 - file if self.flipped else file
        row = rank if self.flipped else self.board.ranks - 1 - rank
        if self.is_hexagons:
            return column + (self.board.ranks - 1 - row) / 2, row * HEXAGON_STEP + HEXAGON_PEAK
        return column, row

    def centre(self, square: str) -> Tuple[float, float]:
        """The middle of a square."""
        x, y = self.corner(square)
        return x + 0.5, y + 0.5

    def squares(self) -> Iterable[str]:
        """The squares that the board has."""
        every = (name(file, rank) for rank in range(self.board.ranks) for file in range(self.board.files))
        return (square for square in every if square not in self.board.holes)


@functools.cache
def shapes() -> Dict[str, Tuple[Mapping[str, str], str]]:
    """The parts of pieces.svg, the one drawing of pieces: by its id the attributes of an element, and what is in it."""
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    drawing = importlib.resources.files(__package__ or "").joinpath("pieces.svg").read_text(encoding="utf-8")
    return {part.attrib.pop("id"): (part.attrib, "".join(ElementTree.tostring(child, "unicode") for child in part))
            for part in ElementTree.fromstring(drawing)}


def piece(piece_text: str, board: Board) -> str:
    """A piece around the origin, drawn as on the page."""
    kinds = {kind.text: kind for kind in board.pieces}
    # A flipped piece still shows its kind.
    itself, kind = kinds.get(piece_text), kinds.get(piece_text.rstrip("~"))
    if itself is not None and itself.owner != "none":
        shade, otherwise = f"shade-{board.colours.get(itself.owner)}", "shade-black"
    else:
        shade, otherwise = f"shade-{itself.name}" if itself else "", "shade-other"
    shade = shade if shade in shapes() else otherwise
    attributes = " ".join(f'{key}="{value}"' for key, value in shapes()[shade][0].items())
    body = shapes()["flipped" if piece_text.endswith("~") else "body"][1]
    signs = [f"name-{kind.name}", f"worth-{kind.value}" if kind.owner == "none" else ""] if kind else []
    sign = next((sign for sign in signs if sign in shapes()), None)
    if sign is not None:
        mark = shapes()[sign][1]
    elif kind and kind.owner != "none" and sum(other.owner == kind.owner for other in board.pieces) == 1:
        mark = ""
    else:
        mark = shapes()["letter"][1].replace("?", piece_text[0].upper())
    return f"<g {attributes}>{shapes()['shadow'][1]}{body}{mark}</g>"


def arrow(begin: Tuple[float, float], end: Tuple[float, float], colour: str) -> str:
    """An arrow between two points, with an edge of the opposite brightness."""
    length = math.dist(begin, end)
    dx, dy = ((end[0] - begin[0]) / length, (end[1] - begin[1]) / length) if length else (0.0, -1.0)

    def at(along: float, across: float) -> str:
        return f"{begin[0] + dx * along - dy * across:.3f} {begin[1] + dy * along + dx * across:.3f}"

    tip = max(length - 0.3, 0.3)
    path = f"M{at(0.2, 0)}L{at(tip, 0)}M{at(tip - 0.22, -0.16)}L{at(tip, 0)}L{at(tip - 0.22, 0.16)}"
    # The edge, and the core on it.
    strokes = (("#fff", 0.13), (colour, 0.07))
    return "".join(f'<path d="{path}" fill="none" stroke="{html.escape(stroke)}" stroke-width="{width}" '
                   'stroke-linecap="round" stroke-linejoin="round"/>' for stroke, width in strokes)


def svg(fen: str, board: Board, last: Iterable[str] = (), arrows: Sequence[Arrow] = (), flipped: bool = False,
        size: int = 360) -> str:
    """The board as SVG, `size` pixels wide. The squares of `last` glow."""
    geometry = Geometry(board, flipped)
    placed, marked = pieces(fen, board), set(last)
    parts: List[str] = []
    if not geometry.is_hexagons:
        parts.append(f'<rect width="{board.files}" height="{board.ranks}" fill="{CELL}" stroke="{FRAME}" '
                     'stroke-width=".06"/>')
    for one, other in board.lines if board.kind == "points" else []:
        (x1, y1), (x2, y2) = geometry.centre(one), geometry.centre(other)
        parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{WIRE}" stroke-width=".035" '
                     'stroke-linecap="round"/>')
    for square in geometry.squares():
        x, y = geometry.corner(square)
        within = [ground(square, board)]
        if square in marked:
            within.append(f'<rect class="last" x=".02" y=".02" width=".96" height=".96" '
                          f'rx="{0.48 if geometry.is_hexagons else 0.1}" fill="{LAST}"/>')
        if square in placed:
            within.append(f'<g transform="translate(.5 .5)">{piece(placed[square], board)}</g>')
        parts.append(f'<g transform="translate({x:.3f} {y:.3f})">{"".join(within)}</g>')
    parts += coordinates(geometry)
    for begin, end, *colour in arrows:
        parts.append(arrow(geometry.centre(begin), geometry.centre(end), "".join(colour) or MARK))
    width, height = geometry.width + MARGIN + 0.1, geometry.height + MARGIN + 0.1
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} -0.1 {width:.3f} {height:.3f}" '
            f'width="{size}" height="{round(size * height / width)}" role="img">'
            f"<title>{html.escape(fen)}</title>{''.join(parts)}</svg>")


def ground(square: str, board: Board) -> str:
    """What a piece stands on."""
    if board.kind == "points":
        return f'<circle cx=".5" cy=".5" r=".09" fill="{WIRE}"/>'
    if board.kind == "hexagons":
        return f'<polygon points="{HEXAGON}" fill="{CELL}" stroke="{FRAME}" stroke-width=".04"/>'
    is_dark = (ord(square[0]) - 97 + int(square[1:])) % 2 == 1
    return f'<rect width="1" height="1" fill="{DARK if is_dark else CELL}"/>'


def coordinates(geometry: Geometry) -> List[str]:
    """The letters of the files below the board, and the numbers of the ranks beside it."""
    board = geometry.board
    style = (f'fill="{EDGE}" font-size=".3" font-family="system-ui, sans-serif" text-anchor="middle" '
             'dominant-baseline="central"')
    parts = []
    for rank in range(board.ranks):
        x, y = geometry.corner(name(board.files - 1 if geometry.flipped else 0, rank))
        parts.append(f'<text x="{x - 0.25:.3f}" y="{y + 0.5:.3f}" {style}>{rank + 1}</text>')
    for file in range(board.files):
        x, _ = geometry.corner(name(file, board.ranks - 1 if geometry.flipped else 0))
        parts.append(f'<text x="{x + 0.5:.3f}" y="{geometry.height + 0.22:.3f}" {style}>{chr(97 + file)}</text>')
    return parts
