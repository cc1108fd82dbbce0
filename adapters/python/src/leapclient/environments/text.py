"""Games in words, for language models. This module needs no library; `textarena` has the form of TextArena."""

import re
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional

from ..errors import IllegalMove, Refused
from ..model import Limit, Rules, Side, checked_side
from ..position import Position
from ..sync import Engine

# A move in an answer.
MOVE = re.compile(r"\[\s*([A-Za-z0-9@]{1,4096})\s*\]")
# The most legal moves that an observation lists.
LISTED = 200
# How much the opponent searches.
OPPONENT = Limit(nodes=20_000)


@dataclass(frozen=True)
class Verdict:
    """What became of an answer: the move as the engine writes it, or why there is none.

    `reason` is a code of SPEC 6.8, or `no-move` for an answer without a move. `square` is where the move fails, or `-`.
    """

    move: Optional[str]
    reason: str = ""
    square: str = "-"
    message: str = ""

    def __bool__(self) -> bool:
        return self.move is not None


class TextGame:
    """A game that is told in words and played by answers such as `I take the man: [b2d4]`.

    `opponent` is the level of the engine that plays the other side, from -20 (random moves) to 100. Without it, both
    sides are played by answers. `side` is the side that answers play then. `list_moves` tells whether observations list
    the legal moves. Illegal answers change nothing and are counted in `illegal`.
    """

    def __init__(self, engine: Engine, game: str, opponent: Optional[int] = None, side: Side = "p1",
                 list_moves: bool = True, options: Optional[Mapping[str, object]] = None,
                 fen: Optional[str] = None) -> None:
        self.position = Position(engine, fen, game=game, options=options)
        try:
            self.rules: Optional[Rules] = engine.rules()
        except Refused:
            self.rules = None
        self.side = checked_side(side)
        self.opponent = opponent
        self.list_moves = list_moves
        self.illegal: Dict[Side, int] = {"p1": 0, "p2": 0}
        self.replies: List[str] = []
        if opponent is not None:
            engine.configure({"Strength": opponent})
        self._reply()

    @property
    def turn(self) -> Side:
        """The side that has to answer."""
        return self.position.turn

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.is_game_over()

    def reward(self, side: Side) -> float:
        """1 if this side has won, -1 if it has lost, and otherwise 0."""
        outcome = self.position.outcome()
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner == checked_side(side) else -1.0

    def name(self, side: Side) -> str:
        """What people call a side, such as `White`."""
        colour = self.position.board.colours.get(side, side)
        return self._word(colour)

    def _word(self, word: str) -> str:
        return word if self.rules is None else self.rules.words.get(word, word)

    def prompt(self, side: Optional[Side] = None) -> str:
        """The rules, the pieces, and how to answer. The rules are those of the guide of the engine."""
        mine = side or self.side
        parts = []
        if self.rules is not None:
            parts.append(f"You play {self.rules.title} as {self.name(mine)}. The rules:")
            for clause in self.rules.clauses:
                parts.append(f"{clause.heading}: {clause.text}")
                parts += [f"  Example [{shown.move}]: {shown.caption}" for shown in clause.examples if shown.move]
        kinds = self.position.board.pieces
        pieces = [f"{kind.text} {self._word(kind.name)}"
                  + ("" if kind.owner == "none" else f" of {self.name(kind.owner)}") for kind in kinds]
        parts.append(f"On the board: {', '.join(pieces)}, . nothing. Files are letters, ranks are numbers.")
        parts.append("Answer with one move in square brackets, written as in the examples: the squares on the way of "
                     "the piece, then @ and a square for each piece that is put on the board.")
        return "\n".join(parts)

    def observation(self) -> str:
        """The board, who is to move, the opponent's last moves, and perhaps the legal moves."""
        status = self.position.status()
        parts = [f"{self.name(self.side)}'s opponent played {' '.join(self.replies)}."] if self.replies else []
        parts += [str(self.position), " ".join(f"{self._word(key)}: {value}." for key, value in status.game.items())]
        if self.over:
            return "\n".join([*parts, self.ending()])
        parts.append(f"{self.name(self.turn)} is to move.")
        if self.list_moves:
            moves = self.position.legal_moves
            listed = " ".join(f"[{move}]" for move in moves[:LISTED])
            parts.append(f"Legal moves: {listed}{' and more' if len(moves) > LISTED or not moves.complete else ''}")
        return "\n".join(parts)

    def ending(self) -> str:
        """How the game has ended, in words."""
        outcome = self.position.outcome()
        if outcome is None:
            return ""
        result = "The game is drawn" if outcome.winner is None else f"{self.name(outcome.winner)} wins"
        return f"{result}: {self._word(outcome.reason)}."

    def answer(self, text: str) -> Verdict:
        """Makes the first move in square brackets, and then the opponent's moves, if an engine plays the opponent."""
        found = MOVE.search(text)
        if found is None:
            return self._refuse("no-move", "-", "the answer has no move in square brackets")
        try:
            self.position.push(found[1])
        except IllegalMove:
            why = self.position.legal(found[1])
            return self._refuse(why.reason or "", why.square or "-", why.text)
        move = self.position.peek()
        self._reply()
        return Verdict(move)

    def _refuse(self, reason: str, square: str, why: str) -> Verdict:
        self.illegal[self.turn] += 1
        where = "" if square == "-" else f" at {square}"
        return Verdict(None, reason, square, f"Not a legal move ({reason}{where}): {why}.")

    def _reply(self) -> None:
        """Makes the opponent's moves. A side may have several in a row."""
        self.replies = []
        while self.opponent is not None and not self.over and self.turn != self.side:
            reply = self.position.engine.play(OPPONENT, position=self.position).move
            if reply is None:
                raise ValueError("expected a move of the opponent, found none")
            self.position.push(reply)
            self.replies.append(reply)

