#!/usr/bin/env python3
"""Connect Four: the rules below are all that it takes to have an engine.

    PYTHONPATH=adapters/python/src python3 adapters/python/examples/connect_four.py
"""

from typing import List, Optional

from leapclient.serve import Game, Position, serve

DISCS = {1: "M", 2: "m"}
COLUMNS = [[f"{file}{rank}" for rank in range(1, 7)] for file in "abcdefg"]
# Each four squares in a line.
FOURS = [{COLUMNS[file + i * right][rank + i * up] for i in range(4)}
         for file in range(7) for rank in range(6) for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
         if file + 3 * right < 7 and 0 <= rank + 3 * up < 6]


class ConnectFour(Game):
    name, title = "connect-four", "Connect Four"
    files, ranks = 7, 6
    pieces = {"M": ("disc", 1), "m": ("disc", 2)}
    colours = ("white", "black")
    start = "7/7/7/7/7/7"

    def legal_moves(self, position: Position) -> List[str]:
        """The lowest empty square of each column."""
        return [next(square for square in column if square not in position.board)
                for column in COLUMNS if column[-1] not in position.board]

    def play(self, position: Position, move: str) -> Position:
        return position.after({**position.board, move: DISCS[position.side]})

    def status(self, position: Position) -> Optional[str]:
        last = 3 - position.side
        discs = set(position.of(DISCS[last]))
        if any(four <= discs for four in FOURS):
            return f"p{last}win"
        return "draw" if len(position.board) == 42 else None


if __name__ == "__main__":
    serve(ConnectFour())
