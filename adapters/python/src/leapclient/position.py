"""A game in play: positions, legal moves, pictures. The engine answers for the rules, and its answers are kept."""

from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import diagram, protocol
from .diagram import Arrow
from .model import Board, Effects, Legality, Moves, Piece, Result, Side, Status
from .sync import Engine

# The longest list of moves that an engine gives (SPEC 4.12).
MOST_MOVES = 100_000


def one_word(move: str) -> str:
    """The text of one move, which must have no blank and no line end."""
    if move.split() != [move]:
        raise ValueError(f"expected one move, found {move!r}")
    return move


@dataclass(frozen=True)
class Outcome:
    """How a game has ended: the result, and the reason (SPEC 4.18). `winner` is None after a draw."""

    result: Result
    reason: str

    @property
    def winner(self) -> Optional[Side]:
        """The side that has won."""
        sides: Dict[str, Side] = {"p1win": "p1", "p2win": "p2"}
        return sides.get(self.result)


class _Source:
    """Who answers for positions: an engine, and the rules that are in force."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.settings = engine.game()
        self.board = engine.board()


class _Node:
    """A position, by the moves that lead to it, with the answers that are known. Copies of a game share it."""

    def __init__(self, source: _Source, start: Optional[str], parent: "Optional[_Node]" = None, move: str = "") -> None:
        self.source = source
        self.start = start
        self.parent = parent
        self.move = move
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.fen: Optional[str] = None
        self.status: Optional[Status] = None
        self.moves: Optional[Moves] = None
        self.effects: Dict[str, Effects] = {}

    def path(self) -> List[str]:
        """The moves that lead here."""
        moves = []
        node = self
        while node.parent is not None:
            moves.append(node.move)
            node = node.parent
        return moves[::-1]

    def command(self) -> str:
        """The command that sets up the position."""
        start = "startpos" if self.start is None else f"fen {self.start}"
        moves = self.path()
        return " ".join(["position", start, *(["moves", *moves] if moves else [])])

    def ask(self, *questions: str) -> List[str]:
        """The answers of the engine here."""
        return self.source.engine._answers(self.source.settings, [self.command()], questions)

    def legal(self, move: str) -> Legality:
        """Whether a move is legal."""
        [answer] = self.ask(f"legal {move}")
        return protocol.legality(answer)

    def see(self) -> None:
        """Asks for everything that most callers want to know, at once."""
        fen, status, moves = self.ask("fen", "status", "moves")
        self.fen, self.status, self.moves = fen, protocol.status(status), protocol.moves(moves)

    def child(self, move: str) -> "_Node":
        """The position after a move, which may be written in any way."""
        if self.moves is not None and move in self.moves:
            return _Node(self.source, self.start, self, move)
        commands = [self.command(), f"move {move}"]
        history, fen, status, moves = self.source.engine._answers(
            self.source.settings, commands, ["history", "fen", "status", "moves"])
        made = protocol.moves(history)
        if not made:
            raise protocol.unlike("the move in the history", history)
        child = _Node(self.source, self.start, self, made[-1])
        child.fen, child.status, child.moves = fen, protocol.status(status), protocol.moves(moves)
        return child


class LegalMoves(Sequence[str]):
    """The legal moves of a position, in listing order: a sequence of texts.

    `in` asks the engine about a text that is not listed: it finds every way to write a move. A game may have more moves
    than an engine lists. Then `complete` is False, and `len` and iteration are about the listed ones.
    """

    def __init__(self, node: _Node) -> None:
        self._node = node

    @property
    def _moves(self) -> Moves:
        if self._node.moves is None:
            self._node.see()
        moves = self._node.moves
        assert moves is not None
        if not moves.complete and len(moves) < MOST_MOVES:
            [answer] = self._node.ask(f"moves limit {MOST_MOVES}")
            more = protocol.moves(answer)
            if len(more) > len(moves):
                self._node.moves = moves = more
        return moves

    @property
    def complete(self) -> bool:
        """Whether all legal moves are listed."""
        return self._moves.complete

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[str]:
        return iter(self._moves)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[str, Sequence[str]]:
        return self._moves.moves[index]

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str) or move.split() != [move]:
            return False
        if self._node.moves is not None and move in self._node.moves:
            return True
        return bool(self._node.legal(move))

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(self)}>"


class Position:
    """A game in play, as `Board` of python-chess: make moves, take them back, ask for the rules, show the board.

    It begins at the start position, or at the position text `fen`. The game is that of the engine with the rule options
    in force; `game` and `options` set other ones. The engine answers all questions. Answers are kept: a position is
    asked about once. Several positions may share an engine, also those of different games. A question leaves the engine
    at that position: use the methods of `Engine` that change its game, or positions, but not both.
    """

    def __init__(self, engine: Engine, fen: Optional[str] = None, moves: Sequence[str] = (), game: Optional[str] = None,
                 options: Optional[Mapping[str, object]] = None) -> None:
        engine.configure({**({} if game is None else {"Game": game}), **(options or {})})
        self._node = _Node(_Source(engine), fen)
        # Refuses a wrong position text immediately.
        self._node.see()
        for move in moves:
            self.push(move)

    @property
    def engine(self) -> Engine:
        """The engine that answers."""
        return self._node.source.engine

    @property
    def settings(self) -> Dict[str, str]:
        """The rule options by name, and the id of the game under `Game`."""
        return dict(self._node.source.settings)

    @property
    def board(self) -> Board:
        """The layout of the board, and the kinds of pieces."""
        return self._node.source.board

    @property
    def begins_at(self) -> Optional[str]:
        """The position text that the game began at, or None for the start position."""
        return self._node.start

    def command(self) -> str:
        """The command that sets up the position on any engine."""
        return self._node.command()

    # Moves.

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: iterate, ask for `len`, or whether a text is `in` them."""
        return LegalMoves(self._node)

    def legal(self, move: str) -> Legality:
        """Whether a move is legal, and if not, why and at which square."""
        return self._node.legal(one_word(move))

    def push(self, move: str) -> None:
        """Makes a move. `IllegalMove` names the reason and the square, and leaves the position as it was."""
        one_word(move)
        self._node = self._node.child(move)

    def pop(self) -> str:
        """Takes back the last move, and returns it. `IndexError` tells that there is none."""
        move = self.peek()
        assert self._node.parent is not None
        self._node = self._node.parent
        return move

    def peek(self) -> str:
        """The last move. `IndexError` tells that there is none."""
        if self._node.parent is None:
            raise IndexError("expected a move to take back, found the first position")
        return self._node.move

    @property
    def move_stack(self) -> List[str]:
        """The moves from the first position, in canonical text."""
        return self._node.path()

    def root(self) -> "Position":
        """The first position."""
        found = self.copy()
        while found._node.parent is not None:
            found._node = found._node.parent
        return found

    def copy(self) -> "Position":
        """The same position with the same moves. What the engine has answered is shared."""
        found = Position.__new__(Position)
        found._node = self._node
        return found

    def effects(self, move: str) -> Effects:
        """What a legal move does to the board, step by step."""
        if move not in self._node.effects:
            [answer] = self._node.ask(f"effects {one_word(move)}")
            self._node.effects[move] = protocol.effects(answer)
        return self._node.effects[move]

    # What is on the board, and how the game stands.

    def fen(self) -> str:
        """The position as text (SPEC 9.7)."""
        if self._node.fen is None:
            self._node.see()
        assert self._node.fen is not None
        return self._node.fen

    def status(self) -> Status:
        """Who is to move, whether the game is over and why, and the counts of the game."""
        if self._node.status is None:
            self._node.see()
        assert self._node.status is not None
        return self._node.status

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.status().turn

    def is_game_over(self) -> bool:
        """Whether the game is over."""
        return self.status().over

    def outcome(self) -> Optional[Outcome]:
        """How the game has ended, or None while it goes on."""
        status = self.status()
        return Outcome(status.result, status.reason) if status.over else None

    def piece_map(self) -> Dict[str, Piece]:
        """The piece on each square that has one."""
        kinds = {kind.text: kind for kind in self.board.pieces}
        return {square: kinds[text] for square, text in diagram.pieces(self.fen(), self.board).items() if text in kinds}

    def piece_at(self, square: str) -> Optional[Piece]:
        """The piece on a square, or None."""
        return self.piece_map().get(square)

    # Pictures.

    def __str__(self) -> str:
        """The board in letters."""
        return diagram.text(self.fen(), self.board)

    def __repr__(self) -> str:
        return f"<Position of {self.settings['Game']}: {self.fen()}>"

    def svg(self, arrows: Sequence[Arrow] = (), flipped: bool = False, size: int = 360) -> str:
        """The board as SVG, `size` pixels wide, with the last move.

        An arrow is a pair of squares, or these and a colour. `flipped` shows the board from the side of player 2.
        """
        last: List[str] = []
        moved: List[Tuple[str, str]] = []
        parent = self._node.parent
        if parent is not None:
            before = Position.__new__(Position)
            before._node = parent
            steps = before.effects(self._node.move).steps
            last = [place.partition("=")[0] for _, place in steps]
            moved = [(begin, end) for (key, begin), (_, end) in zip(steps, steps[1:]) if key == "from"]
        return diagram.svg(self.fen(), self.board, last, [*moved, *arrows], flipped, size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        """Whether game, rule options and position text are the same, whatever moves led there."""
        if not isinstance(other, Position):
            return NotImplemented
        return self.settings == other.settings and self.fen() == other.fen()

    __hash__ = None  # type: ignore[assignment]  # as `Board` has it: positions change
