"""Alpha-beta by the game's evaluation or by random games: a sparring player, and every part of `go` (SPEC 5)."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from threading import Event
from typing import Iterator, List, Optional, Sequence, Tuple

from .game import Game, Position

DEEPEST = 64  # plies; a greater depth is taken as this (SPEC 5.2)
WIN = 30_000  # less one for each ply to it
MOST_EVALUATED = 29_000  # of an evaluation, so that it is no win
RANDOM_GAMES = 8  # to tell what a position is worth if the game has no evaluation
LONGEST_RANDOM_GAME = 200  # plies, after which it counts as a draw
RANDOM_WIN = 800  # centipawns that a position is worth whose random games are all won


class Ended(Exception):
    """A limit has been reached, or the client has said stop."""


@dataclass(frozen=True)
class Line:
    """A root move, its score from the view of the side to move, and what is expected from there on."""

    score: int
    moves: List[str]


class Search:
    """One search; `nodes` counts the positions that it has looked at."""

    def __init__(self, game: Game, positions: Sequence[Position], stop: Event, nodes: Optional[int],
                 seconds: Optional[float]) -> None:
        self.game, self.root, self.stop = game, positions[-1], stop
        self.random = random.Random(1)
        self.path = [position.key for position in positions]  # for repetition (SPEC 10.13)
        self.limit, self.nodes = nodes, 0
        self.begun = time.monotonic()
        self.deadline = None if seconds is None else self.begun + seconds

    def iterate(self, moves: List[str], depth: int) -> Iterator[Tuple[int, List[Line]]]:
        """Each depth that is finished, with all these root moves, best first; equal ones stay in their order."""
        try:
            for plies in range(1, min(depth, DEEPEST) + 1):
                lines = []
                for move in moves:
                    score, line = self.after(self.root, move, plies, -WIN, WIN)
                    lines.append(Line(score, [move, *line]))
                lines.sort(key=lambda line: -line.score)
                yield plies, lines
        except Ended:
            return

    def after(self, position: Position, move: str, depth: int, alpha: int, beta: int) -> Tuple[int, List[str]]:
        """The score of a move for the side that makes it, and the line after it."""
        child = self.game.play(position, move)
        self.path.append(child.key)
        if child.side == position.side:  # it moves again
            score, line = self.negamax(child, depth - 1, alpha, beta)
        else:
            score, line = self.negamax(child, depth - 1, -beta, -alpha)
            score = -score
        self.path.pop()
        return score, line

    def negamax(self, position: Position, depth: int, alpha: int, beta: int) -> Tuple[int, List[str]]:
        """The score for the side to move by alpha-beta, and the line that leads to it."""
        self.visit()
        ending = self.game.ending(position, self.path.count(position.key))
        if ending.result != "none":
            win = WIN - (position.ply - self.root.ply)
            return {"draw": 0, f"p{position.side}win": win}.get(ending.result, -win), []
        if depth == 0:
            return self.evaluate(position), []
        best: List[str] = []
        for move in self.game.moves(position):
            score, line = self.after(position, move, depth, alpha, beta)
            if score > alpha:
                alpha, best = score, [move, *line]
            if alpha >= beta:
                break
        return alpha, best

    def visit(self) -> None:
        """Counts a position, those of random games too, or ends the search at its limits."""
        is_late = self.deadline is not None and time.monotonic() >= self.deadline
        if self.stop.is_set() or is_late or self.nodes == self.limit:
            raise Ended
        self.nodes += 1

    def evaluate(self, position: Position) -> int:
        """The score of a position that is searched no further."""
        score = self.game.evaluate(position)
        if score is None:
            score = sum(self.random_game(position) for _ in range(RANDOM_GAMES)) * RANDOM_WIN // RANDOM_GAMES
        return max(-MOST_EVALUATED, min(MOST_EVALUATED, score))

    def random_game(self, position: Position) -> int:
        """1 if the side to move wins a game of random moves, -1 if it loses, otherwise 0."""
        side = position.side
        for _ in range(LONGEST_RANDOM_GAME):
            self.visit()
            ending = self.game.ending(position, 1)
            if ending.result != "none":
                return {"draw": 0, f"p{side}win": 1}.get(ending.result, -1)
            position = self.game.play(position, self.random.choice(self.game.moves(position)))
        return 0

    def millis(self) -> int:
        """Milliseconds since the search began."""
        return int((time.monotonic() - self.begun) * 1000)

    def speed(self) -> int:
        """Nodes per second."""
        return self.nodes * 1000 // max(1, self.millis())


def score_text(score: int, in_moves: bool) -> str:
    """`cp <n>` or `mate <n>`: in moves in the dialect `uci`, else in plies (SPEC 5.20)."""
    plies = WIN - abs(score)
    if plies > DEEPEST:
        return f"cp {score}"
    distance = (plies + 1) // 2 if in_moves else plies
    return f"mate {distance if score > 0 else -distance}"
