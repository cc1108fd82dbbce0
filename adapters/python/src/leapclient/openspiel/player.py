"""The player: Monte Carlo tree search, a random game for each new position."""

from __future__ import annotations

import math
from threading import Event
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ..serve import Game, Position
from ..serve.search import DEEPEST, LONGEST_RANDOM_GAME, RANDOM_WIN, Ended, Line, Search
from .library import State
from .positions import SpielPosition, spiel

FIRST_GAMES = 100  # random games of the first depth; each further depth has twice as many
EXPLORATION = 1.4


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
