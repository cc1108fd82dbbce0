#!/usr/bin/env python3
"""Othello: a game with passes, and with an evaluation.

    PYTHONPATH=adapters/python/src python3 adapters/python/examples/othello.py
"""

from typing import List, Optional

from leapclient.serve import Game, Position, serve

DISCS = {1: "M", 2: "m"}
DIRECTIONS = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]
CORNERS = ("a1", "h1", "a8", "h8")


class Othello(Game):
    name, title = "othello", "Othello"
    pieces = {"M": ("disc", 1), "m": ("disc", 2)}
    colours = ("black", "white")
    start = "8/8/8/3Mm3/3mM3/8/8/8"
    passes = True
    repetitions = 0

    def legal_moves(self, position: Position) -> List[str]:
        return self.placements(position, position.side) or ["pass"]

    def play(self, position: Position, move: str) -> Position:
        new = [] if move == "pass" else [move, *self.flips(position, position.side, move)]
        return position.after({**position.board, **dict.fromkeys(new, DISCS[position.side])})

    def status(self, position: Position) -> Optional[str]:
        if any(self.placements(position, side) for side in DISCS):
            return None
        p1, p2 = len(position.of("M")), len(position.of("m"))
        return "p1win" if p1 > p2 else "p2win" if p2 > p1 else "draw"

    def evaluate(self, position: Position) -> int:
        own, enemy = (DISCS[side] for side in (position.side, 3 - position.side))
        corners = [position.board.get(square) for square in CORNERS]
        mobility = len(self.placements(position, position.side)) - len(self.placements(position, 3 - position.side))
        return 300 * (corners.count(own) - corners.count(enemy)) + 20 * mobility

    def placements(self, position: Position, side: int) -> List[str]:
        return [square for square in self.square_names
                if square not in position.board and self.flips(position, side, square)]

    def flips(self, position: Position, side: int, square: str) -> List[str]:
        """The enemy discs between a new disc and the next own disc, in each direction."""
        flipped = []
        for right, up in DIRECTIONS:
            line, end = [], self.step(square, right, up)
            while position.board.get(end) == DISCS[3 - side]:
                line.append(end)
                end = self.step(end, right, up)
            flipped += line if position.board.get(end) == DISCS[side] else []
        return flipped


if __name__ == "__main__":
    serve(Othello())
