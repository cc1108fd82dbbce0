"""Where games come from: an engine process, or rules inside this process."""

from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Sequence

import numpy.typing as npt

from ..model import Board, Rules
from .actions import Actions

Array = npt.NDArray[Any]
# The columns of `Rows.numbers`. A pair of columns for each pair of `query status` follows.
PLAYER, OVER, RESULT, DROPS, TURNS, QUIET, REPETITIONS, PLY, COUNTS = range(9)


class Rows(NamedTuple):
    """Games as numbers, a row for each game.

    `masks` has 1 for each legal action. `pieces` has the number of the piece on each square, with the entered part of
    the move made. `route` has 1 for each square that this part names, and 2 for the last of these.
    """

    masks: Array
    pieces: Array
    route: Array
    numbers: Array


class Play(Protocol):
    """A game in play. `status` is the answer to `query status`, and `legal` has the legal actions.

    `result` is 1 or -1 if player 1 has won or lost, and otherwise 0.
    """

    @property
    def fen(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def player(self) -> int: ...
    @property
    def over(self) -> bool: ...
    @property
    def result(self) -> int: ...
    @property
    def moves(self) -> List[str]: ...
    @property
    def entered(self) -> str: ...
    @property
    def legal(self) -> List[int]: ...

    def copy(self) -> "Play":
        """A game of its own with the same moves."""


class Source(Protocol):
    """What makes games and steps them."""

    settings: Dict[str, str]
    board: Board
    rules: Optional[Rules]
    actions: Actions

    def start(self, fens: Sequence[Optional[str]]) -> Sequence[Play]:
        """Games that begin at these position texts, or at the start position for None."""

    def step(self, plays: Sequence[Any], actions: Sequence[int]) -> None:
        """Takes an action in each game. A game that is over begins again, and ignores its action.

        `ValueError` names the first action that is not legal; nothing has changed then.
        """

    def rows(self, plays: Sequence[Any]) -> Rows:
        """The games as numbers."""

    def close(self) -> None:
        """Ends the processes, if there are any."""
