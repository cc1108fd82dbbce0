"""The rules of the games without a process: what leapd answers, as calls.

`Rules` makes games. A `Game` is stepped by moves, or by actions: the tokens of moves (SPEC 4.25), numbered by their
place in the list that `Rules.start` is given. The functions `step` and `rows` take many games at once.
"""

from typing import Dict, List, Optional, Sequence, Tuple, final

__version__: str

class Refused(ValueError):
    """A refusal in the words of the engine: an error line (SPEC 6.1)."""

@final
class Rules:
    """The rules of a game by its id, such as `eximo`, with options as `setoption` takes them."""

    def __new__(cls, game: str, options: Optional[Dict[str, str]] = None) -> "Rules": ...
    def query(self, question: str) -> List[str]:
        """The lines that answer a question at the start position, such as `board` for `query board`."""
    def start(self, fen: Optional[str] = None, tokens: Optional[Sequence[str]] = None) -> "Game":
        """A game that begins at a position text, or at the start position. `tokens` are its actions."""

@final
class Game:
    """A game in play, and what has been entered of its next move."""

    @property
    def fen(self) -> str:
        """The position text, before the move that is being entered."""
    @property
    def key(self) -> int:
        """A key of board, extra field and side to move, in 64 bits."""
    @property
    def side(self) -> str:
        """The side to move, `p1` or `p2`."""
    @property
    def player(self) -> int:
        """The player to move, 0 or 1."""
    @property
    def over(self) -> bool:
        """Whether the game is over."""
    @property
    def result(self) -> int:
        """1 or -1 if player 1 has won or lost, and otherwise 0."""
    @property
    def status(self) -> str:
        """The answer to `query status` (SPEC 4.18)."""
    @property
    def moves(self) -> List[str]:
        """The moves so far, as they were entered."""
    @property
    def entered(self) -> str:
        """What has been entered of a move."""
    @property
    def legal(self) -> List[int]:
        """The legal actions."""
    def legal_moves(self, limit: int = 10_000) -> List[str]:
        """The first legal moves in listing order (SPEC 9.27)."""
    def next(self) -> List[str]:
        """The tokens that may follow what has been entered: the answer to `query next` (SPEC 4.24)."""
    def play(self, text: str) -> None:
        """Makes a move. What has been entered is dropped."""
    def undo(self, count: int = 1) -> None:
        """Takes back moves, and what has been entered. `IndexError` if there are fewer moves."""
    def restart(self) -> None:
        """Goes back to the position in which the game began."""
    def copy(self) -> "Game":
        """A game of its own with the same moves."""

def step(games: Sequence[Game], actions: Sequence[int]) -> None:
    """Takes an action in each game. A token after which a move can only end makes the move.

    A game that is over begins again, and ignores its action. `ValueError` names the first action that is not legal;
    nothing has changed then.
    """

def rows(games: Sequence[Game]) -> Tuple[bytearray, bytearray, bytearray, bytearray]:
    """The games as arrays with a row for each game, one after the other.

    The masks have a byte for each action: 1 if it is legal. The pieces have a byte for each square: 0 if it is empty,
    else the place of its piece in `query board`, counted from 1. The entered part of a move has been made. The routes
    have a byte for each square: 1 if the entered part names it, 2 if it is the last of these. The numbers have 4 bytes
    each, in the order of the machine: player to move, 1 if the game is over, result (1, 0 or -1 for player 1), drops,
    turns, quiet, repetitions, ply, and the pairs of `query status`.
    """
