"""Positions with their states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, FrozenSet, Iterator, Mapping, Tuple

from ..serve import Position
from .boards import square
from .games import Telling
from .library import State


class Board(Mapping[str, str]):
    """The pieces by their squares, looked for when somebody asks."""

    def __init__(self, telling: Telling, state: State) -> None:
        self.telling, self.state = telling, state

    @cached_property
    def pieces(self) -> Dict[str, str]:
        rows = self.telling.grid(self.state) if self.telling.grid else []
        return {square(file, rank): self.telling.pieces[char] for rank, row in enumerate(rows)
                for file, char in enumerate(row) if char in self.telling.pieces}

    def __getitem__(self, name: str) -> str:
        return self.pieces[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True)
class SpielPosition(Position):
    """A position with its state. `extra` has the actions that led to it: many games depend on more than the board."""

    game: Any = None
    state: State = None

    @cached_property
    def key(self) -> Tuple[FrozenSet[Tuple[str, str]], int, str]:
        """OpenSpiel itself counts repetitions: no position of a game is the same as another."""
        return frozenset(), self.ply, ""

    @cached_property
    def moves(self) -> Dict[str, Tuple[int, ...]]:
        """The legal moves, each with its actions."""
        telling: Telling = self.game.telling
        if self.state.is_terminal():
            return {}
        if telling.listed:
            return telling.listed(self.state)
        if telling.whole:
            return dict(whole_moves(telling, self.state, "", ()))
        return {telling.text(self.state, action): (action,) for action in self.state.legal_actions()}


def spiel(position: Position) -> SpielPosition:
    """Every position of these games has a state."""
    assert isinstance(position, SpielPosition)
    return position


def whole_moves(telling: Telling, state: State, begun: str, actions: Tuple[int, ...]
                ) -> Iterator[Tuple[str, Tuple[int, ...]]]:
    """The moves that begin so: actions are added until the other player is to move."""
    for action in state.legal_actions():
        text, child = telling.text(state, action), state.child(action)
        # The next jump begins on the square where this one has ended.
        text = begun + (text[len(text) // 2:] if begun and text[:len(text) // 2] == begun[-(len(text) // 2):] else text)
        if not child.is_terminal() and child.current_player() == state.current_player():
            yield from whole_moves(telling, child, text, (*actions, action))
        else:
            yield text, (*actions, action)
