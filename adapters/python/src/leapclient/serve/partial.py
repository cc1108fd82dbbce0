"""Moves as they are entered, token by token (SPEC 4.24, 4.41)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from . import texts
from .wire import Illegal

if TYPE_CHECKING:
    from .game import Game, Position

KINDS = ("first", "step", "drop", "remove", "pass")  # in the order of SPEC 4.44; `end` comes after them


class PartialMove(ABC):
    """The beginning of a legal move. It never changes: `take` makes another one."""

    @abstractmethod
    def tokens(self) -> List[str]:
        """The tokens that may follow, `end` aside, in the order of SPEC 4.25."""

    @abstractmethod
    def take(self, token: str) -> PartialMove:
        """The move with one more token, or Illegal. Any token on the board may be given."""

    @abstractmethod
    def finish(self) -> str:
        """The canonical text of the move if it may end here, or Illegal."""

    def drops(self) -> int:
        """How many drops must still be made where the piece stands."""
        return 0

    def effects(self) -> List[str]:
        """What was entered does this to the board (SPEC 4.28)."""
        return []

    def end_effects(self) -> List[str]:
        """Ending the move here does this besides. It is asked only where `finish` gives a move."""
        return []

    def may_end(self) -> bool:
        """Whether this is a whole legal move."""
        try:
            return bool(self.finish())
        except Illegal:
            return False


class ListedMove(PartialMove):
    """A move that is looked up in the list of legal moves: for games with at most some hundreds of moves."""

    def __init__(self, game: Game, position: Position, entered: Tuple[str, ...] = (),
                 moves: Optional[List[str]] = None) -> None:
        self.game, self.position, self.entered = game, position, entered
        self.moves = game.moves(position) if moves is None else moves
        # The legal moves that begin with what was entered, each with the tokens that are left.
        found = ((rest(entered, texts.tokens(move)), move) for move in self.moves)
        self.open = [(left, move) for left, move in found if left is not None]

    def tokens(self) -> List[str]:
        following = {token for left, _ in self.open for token in left[: 1 if not is_drop(left) else None]}
        return sorted(following, key=lambda token: texts.order(token, self.game.index))

    def take(self, token: str) -> PartialMove:
        if token not in self.tokens():
            raise self.game.explain(self.position, list(self.entered), token) or self.illegal(token)
        return ListedMove(self.game, self.position, (*self.entered, token), self.moves)

    def finish(self) -> str:
        for left, move in self.open:
            if not left:
                return move
        if self.drops():
            raise Illegal("drop-missing", self.entered[-1].lstrip("@"))
        raise Illegal("incomplete")

    def drops(self) -> int:
        return min((len(left) for left, _ in self.open if not left or is_drop(left)), default=0)

    def end_effects(self) -> List[str]:
        return self.game.effects(self.position, self.finish())

    def illegal(self, token: str) -> Illegal:
        """Why this token cannot follow, as far as the board and the list can tell."""
        square, side = token.lstrip("@x"), self.position.side
        piece = self.position.board.get(square)
        owner = self.game.pieces[piece][1] if piece else None
        if token == texts.PASS:
            return Illegal("cannot-pass")
        if token[0] == "x":
            return Illegal("no-removal", square)
        if token[0] == "@":
            return Illegal("drop-not-allowed", square)
        if self.entered:
            if not self.tokens():
                return Illegal("turn-ended", square)
            return Illegal("landing-occupied" if owner == side else "no-such-line", square)
        # Moves of one square put a piece there (SPEC 9.30), the others move one away.
        is_placement = {len(texts.tokens(move)) == 1 for move in self.moves}
        if not piece:
            if True in is_placement:
                return Illegal("not-here", square, "no piece can be put onto this square")
            return Illegal("empty-square", square)
        if False not in is_placement:
            return Illegal("landing-occupied", square)
        return Illegal("blocked" if owner == side else "not-your-piece", square)


def is_drop(left: List[str]) -> bool:
    return bool(left) and left[0][0] == "@"


def rest(entered: Sequence[str], move: List[str]) -> Optional[List[str]]:
    """The tokens of a move that are left after these, or None. Drops are entered in any order (SPEC 9.26)."""
    drops = [token for token in entered if token[0] == "@"]
    steps = entered[: len(entered) - len(drops)]
    if move[: len(steps)] != list(steps):
        return None
    left = move[len(steps) :]
    if drops and not (is_drop(left) and len(set(drops)) == len(drops) and set(drops) <= set(left)):
        return None
    return [token for token in left if token not in drops]


def enter(game: Game, position: Position, over: bool, text: str) -> PartialMove:
    """The partial move of a text, or Illegal with the first reason in the order of SPEC 6.9."""
    tokens = game.read_move(text)
    if over:
        raise Illegal("game-over")
    partial = game.partial_move(position)
    for token in tokens:
        if token[0] == "@" and partial.drops() == 0 and not any(other[0] == "@" for other in partial.tokens()):
            partial.finish()
        partial = partial.take(token)
    return partial


def begin(game: Game, position: Position, text: str) -> Tuple[str, PartialMove]:
    """The longest beginning of a text, cut after a token, with which a legal move begins (SPEC 4.42)."""
    text, entered, partial = text.lower(), "", game.partial_move(position)
    for token in texts.tokens(text)[: texts.MOST_SQUARES]:
        if token not in partial.tokens() or not text.startswith(entered + token):
            break
        entered, partial = entered + token, partial.take(token)
    return entered, partial


def kind(token: str, is_first: bool) -> str:
    """The kind of a token (SPEC 4.38)."""
    kinds = {"@": "drop", "x": "remove"}
    return texts.PASS if token == texts.PASS else kinds.get(token[0], "first" if is_first else "step")


def awaited(partial: PartialMove, is_first: bool) -> str:
    """The kinds of what may follow (SPEC 4.44)."""
    found = {kind(token, is_first) for token in partial.tokens()}
    return ",".join([word for word in KINDS if word in found] + ["end"] * partial.may_end()) or "none"


def board_changes(game: Game, position: Position, move: str) -> List[str]:
    """The difference of the boards before and after a move: the piece that the move names first, then each other square
    in ascending order."""
    before, after = position.board, game.play(position, move).board
    named = [token for token in texts.tokens(move) if token != texts.PASS and token[0] not in "@x"]
    removed = [token[1:] for token in texts.tokens(move) if token[0] == "x"]
    changes: List[str] = []
    told: Tuple[str, ...] = ()
    if len(named) > 1 and named[0] != named[-1]:
        origin, to = named[0], named[-1]
        if origin in before and origin not in after and to in after:
            changes += [f"captured {to}"] if to in before else []
            changes.append(f"from {origin} to {to}")
            changes += [f"flipped {to}={after[to]}"] if after[to] != before[origin] else []
            told = (origin, to)
    for square in game.square_names:
        if square in told or before.get(square) == after.get(square):
            continue
        if square not in after:
            changes.append(f"{'removed' if square in removed else 'captured'} {square}")
        else:
            changes.append(f"{'flipped' if square in before else 'dropped'} {square}={after[square]}")
    return changes
