"""The tokens that moves are made of, as numbers."""

from typing import Dict, Optional, Tuple

from ..diagram import name
from ..errors import EngineError
from ..model import Board, Rules


class Actions:
    """The actions of a game: the tokens of `query next` (SPEC 4.25), numbered from 0.

    The squares come first, in ascending order. Then come drops (`@c3`), removals (`xc3`) and `pass`, if the game has
    them, and `end`. A move is one or more actions of the same player. A token that can only be followed by `end` ends
    the move by itself.
    """

    def __init__(self, board: Board, rules: Optional[Rules]) -> None:
        squares = [name(file, rank) for rank in range(board.ranks) for file in range(board.files)]
        examples = [] if rules is None else [
            example.move for clause in rules.clauses for example in clause.examples if example.move]
        # An engine without examples may have any token.
        has_drops = not examples or any("@" in move for move in examples)
        has_removals = not examples or any(move.startswith("x") for move in examples)
        has_passes = rules is None or "pass" in rules.prompts
        self.squares: Tuple[str, ...] = tuple(squares)
        self.tokens: Tuple[str, ...] = (
            *squares,
            *(f"@{square}" for square in squares if has_drops),
            *(f"x{square}" for square in squares if has_removals),
            *(["pass"] if has_passes else []),
            "end",
        )
        self._numbers: Dict[str, int] = {token: number for number, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def number(self, token: str) -> int:
        """The number of a token."""
        try:
            return self._numbers[token]
        except KeyError:
            raise EngineError(f"expected a token as in the examples of the rules, found {token!r}") from None
