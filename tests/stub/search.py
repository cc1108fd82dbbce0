"""Plain alpha-beta by material: enough to play, and to show every part of `go` (SPEC 5)."""

from __future__ import annotations

import time
from threading import Event
from typing import Iterator, NamedTuple, Optional

from rules import MEN, Position, Rules, Walk

DEEPEST = 64  # plies; a greater depth is taken as this (SPEC 5.2)
WIN = 30_000  # less one for each ply to it
MAN = 100


class Ended(Exception):
    """A limit has been reached, or the client has said stop."""


class Line(NamedTuple):
    """A root move, its score from the view of the side to move, and what is expected from there on."""

    score: int
    moves: list[Walk]


class Search:
    """One search; `nodes` counts the positions that it has looked at."""

    def __init__(self, rules: Rules, game: list[Position], stop: Event, nodes: Optional[int], seconds: Optional[float]):
        self.rules, self.root, self.stop = rules, game[-1], stop
        self.path = [position.same for position in game]  # for repetition, the game's own positions included (SPEC 10.13)
        self.limit, self.nodes = nodes, 0
        self.begun = time.monotonic()
        self.deadline = None if seconds is None else self.begun + seconds

    def iterate(self, moves: list[Walk], depth: int) -> Iterator[tuple[int, list[Line]]]:
        """Each depth that is finished, with all these root moves, best first; equal ones stay in their order."""
        try:
            for plies in range(1, min(depth, DEEPEST) + 1):
                lines = []
                for move in moves:
                    score, line = self.after(self.root, move, plies, -WIN, WIN)
                    lines.append(Line(score, [move] + line))
                lines.sort(key=lambda line: -line.score)
                yield plies, lines
        except Ended:
            return

    def after(self, position: Position, move: Walk, depth: int, alpha: int, beta: int) -> tuple[int, list[Walk]]:
        """The score of a move for the side that makes it, and the line after it."""
        child = self.rules.play(position, move)
        self.path.append(child.same)
        score, line = self.negamax(child, depth - 1, -beta, -alpha)
        self.path.pop()
        return -score, line

    def negamax(self, position: Position, depth: int, alpha: int, beta: int) -> tuple[int, list[Walk]]:
        """The score for the side to move by alpha-beta, and the line that leads to it."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        if self.stop.is_set() or late or self.nodes == self.limit:
            raise Ended
        self.nodes += 1
        ending = self.rules.ending(position, self.path.count(position.same))
        if ending.result != "none":
            win = WIN - (position.ply - self.root.ply)
            return {"draw": 0, f"p{position.side}win": win}.get(ending.result, -win), []
        if depth == 0:
            return balance(position), []
        best: list[Walk] = []
        for move in self.rules.generate(position):
            score, line = self.after(position, move, depth, alpha, beta)
            if score > alpha:
                alpha, best = score, [move] + line
            if alpha >= beta:
                break
        return alpha, best

    def millis(self) -> int:
        return int((time.monotonic() - self.begun) * 1000)

    def speed(self) -> int:
        """Nodes per second."""
        return self.nodes * 1000 // max(1, self.millis())


def balance(position: Position) -> int:
    """The static evaluation: men, in centipawns, from the view of the side to move."""
    own, enemy = (position.board.count(MEN[side]) for side in (position.side, 3 - position.side))
    return MAN * (own - enemy)


def score_text(score: int, in_moves: bool) -> str:
    """`cp <n>` or `mate <n>`: in moves in the dialect `uci`, else in plies (SPEC 5.20)."""
    plies = WIN - abs(score)
    if plies > DEEPEST:
        return f"cp {score}"
    distance = (plies + 1) // 2 if in_moves else plies
    return f"mate {distance if score > 0 else -distance}"
