"""A game of OpenSpiel as the rules of an engine."""

from __future__ import annotations

import re
from threading import Event
from typing import Dict, List, Optional, Sequence

from ..serve import Ending, Game, Illegal, Option, PartialMove, Position
from ..serve.game import MOST_LINES, ONGOING
from ..serve.search import Search
from ..serve.wire import BadPosition, Refused
from .boards import square
from .games import GAMES
from .hive import hive_text, stacks
from .library import State, pyspiel
from .player import TreeSearch
from .positions import Board, SpielPosition, spiel


class SpielMove(PartialMove):
    """A move is entered as a whole."""

    def __init__(self, game: SpielGame, position: SpielPosition, move: str = "") -> None:
        self.game, self.position, self.move = game, position, move

    def tokens(self) -> List[str]:
        return [] if self.move else self.game.moves(self.position)

    def take(self, token: str) -> PartialMove:
        if self.move:
            raise Illegal("turn-ended")
        move = self.game.meant(self.position, token)
        if move is None:
            raise Illegal("not-legal", text="the rules do not list it here")
        return SpielMove(self.game, self.position, move)

    def finish(self) -> str:
        if not self.move:
            raise Illegal("incomplete")
        return self.move

    def end_effects(self) -> List[str]:
        return self.game.effects(self.position, self.move)


class SpielGame(Game):
    """A game of OpenSpiel."""

    repetitions = max_plies = 0

    def __init__(self, name: str) -> None:
        self.name, self.telling = name, GAMES[name]
        self.kind, self.lines, self.colours = self.telling.kind, self.telling.lines, self.telling.colours
        arrow = {"W": ("arrow", 0)} if name == "amazons" else {}
        texts = dict.fromkeys(self.telling.pieces.values())
        self.pieces = {**{text: (text, 1 if text.isupper() else 2) for text in texts}, **arrow}
        super().__init__()

    def rule_options(self) -> Dict[str, Option]:
        return {
            "BoardSize": Option("spin", "0", (0, 25)),  # 0: the game's own
            "Komi": Option("string", "-"),
            "Parameters": Option("string", "-"),  # in OpenSpiel's words, as in `uses_mosquito=false`
        }

    def configure(self) -> None:
        kind = next(kind for kind in pyspiel.registered_games() if kind.short_name == self.name)
        specified, given = kind.parameter_specification, {}
        size, komi, words = (self.settings[name] for name in ("BoardSize", "Komi", "Parameters"))
        if size != "0":
            sides = [("board_size",), ("size",), ("rows", "columns"), ("m", "n")]
            named = next((names for names in sides if set(names) <= set(specified)), ())
            given.update(dict.fromkeys(named, size))
        if komi != "-" and "komi" in specified:
            given["komi"] = str(float(komi)) if re.fullmatch("-?[0-9]{1,4}([.][0-9]{1,2})?", komi) else komi
        if words != "-":
            given.update(pair.partition("=")[::2] for pair in words.split(","))
        if self.name == "twixt":
            given.setdefault("ansi_color_output", "false")
        if self.name == "hive":  # a hive that grows beyond the board is a draw: this is the largest one
            given.setdefault("board_size", "14")
        text = ",".join(f"{name}={value}" for name, value in given.items())
        try:
            self.rules = pyspiel.load_game(f"{self.name}({text})")
            start = self.rules.new_initial_state()
        except Exception as error:
            raise Refused("bad-argument", f"OpenSpiel refuses {self.name}({text}): {error}") from None
        self.title = kind.long_name
        self.first = start.current_player()
        rows = self.telling.grid(start) if self.telling.grid else []
        self.drawn = 0 < len(rows) <= MOST_LINES and len(rows[0]) <= MOST_LINES
        self.ranks, self.files = (len(rows), len(rows[0])) if self.drawn else (1, 1)
        self.holes = [square(file, rank) for rank, row in enumerate(rows) for file, char in enumerate(row)
                      if char == " "] if self.drawn else []
        for name in ("square_names", "index"):
            self.__dict__.pop(name, None)
        if self.drawn and self.kind == "points" and not self.telling.lines:
            self.lines = [(name, other) for name in self.square_names
                          for other in (self.step(name, 1, 0), self.step(name, 0, 1)) if other]

    def position(self, state: State, last: int, ply: int) -> SpielPosition:
        """A position; after the end of the game the player who has not moved last is to move."""
        player = state.current_player()
        side = 3 - last if player < 0 else 1 if player == self.first else 2
        actions = ".".join(map(str, state.history())) or "-"
        return SpielPosition(Board(self.telling, state) if self.drawn else {}, side, actions, 0, ply, self, state)

    def start_position(self) -> Position:
        return self.position(self.rules.new_initial_state(), 2, 0)

    def read_position(self, text: str) -> Position:
        """A position text of chess, or one that this engine has written."""
        fields = text.split()
        try:
            if self.telling.fen:
                return self.position(self.rules.new_initial_state(text), 2, 0)
            state = self.rules.new_initial_state()
            for action in fields[2].split(".") if fields[2] != "-" else []:
                if state.is_terminal() or int(action) not in state.legal_actions():
                    raise ValueError
                state.apply_action(int(action))
            position = self.position(state, 3 - int(fields[1]), int(fields[4]))
            if self.position_text(position) != " ".join(fields):
                raise ValueError
            return position
        except Exception:
            raise BadPosition("board", 1, "expected a position that this engine has written") from None

    def adopted(self, position: Position) -> Position:
        """The start, whatever its size is now, or the position with the same text."""
        if position.ply == 0 and position.extra == "-":
            return self.start_position()
        try:
            return self.read_position(self.position_text(position))
        except BadPosition as error:
            raise error.refused from None

    def position_text(self, position: Position) -> str:
        return str(spiel(position).state) if self.telling.fen else super().position_text(position)

    def read_move(self, text: str) -> List[str]:
        return [text]

    def meant(self, position: SpielPosition, text: str) -> Optional[str]:
        """The legal move that a text means."""
        if text in position.moves:
            return text
        if self.name == "hive":  # another neighbour may be named
            try:
                text = hive_text(stacks(position.state), text.replace("_", " "))
            except (KeyError, StopIteration):
                return None
        folded = [move for move in position.moves if move.lower() == text.lower()]
        return folded[0] if len(folded) == 1 else None

    def partial_move(self, position: Position) -> PartialMove:
        return SpielMove(self, spiel(position))

    def moves(self, position: Position) -> List[str]:
        return sorted(spiel(position).moves)

    def play(self, position: Position, move: str) -> Position:
        before = spiel(position)
        state = before.state.clone()
        for action in before.moves[move]:
            state.apply_action(action)
        return self.position(state, position.side, position.ply + 1)

    def ending(self, position: Position, occurrences: int) -> Ending:
        state = spiel(position).state
        if not state.is_terminal():
            return ONGOING
        own_return, other = state.returns()[self.first], state.returns()[1 - self.first]
        result = "draw" if own_return == other else "p1win" if own_return > other else "p2win"
        return Ending(result, "count" if self.telling.counted else "no-moves")

    def counts(self, position: Position) -> Dict[str, str]:
        return {}

    def search(self, positions: Sequence[Position], stop: Event, nodes: Optional[int],
               seconds: Optional[float]) -> Search:
        return TreeSearch(self, positions, stop, nodes, seconds)
