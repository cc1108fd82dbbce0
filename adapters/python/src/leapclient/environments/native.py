"""Games by rules inside this process: `pip install leapd[native]`."""

from typing import Any, Dict, List, Mapping, Optional, Sequence

import leapd_native
import numpy as np

from .. import protocol
from ..model import Rules
from .actions import Actions
from .source import Play, Rows


class Native:
    """A source of the games of `leapd_native`, whose answers are those of leapd."""

    def __init__(self, game: str, options: Mapping[str, object]) -> None:
        texts = {name: "" if value is None else protocol.option_value(value) for name, value in options.items()}
        try:
            self._native = leapd_native.Rules(game, texts)
        except leapd_native.Refused as error:
            raise protocol.error(str(error)) from None
        [settings] = self._native.query("game")
        self.settings: Dict[str, str] = protocol.game(settings.partition(" ")[2])
        self.board = protocol.board(self._native.query("board"))
        self.rules: Optional[Rules] = protocol.rules(self._native.query("rules"))
        self.actions = Actions(self.board, self.rules)

    def start(self, fens: Sequence[Optional[str]]) -> List[Play]:
        """Games that begin at these position texts, or at the start position for None."""
        try:
            return [self._native.start(fen, self.actions.tokens) for fen in fens]
        except leapd_native.Refused as error:
            raise protocol.error(str(error)) from None

    def step(self, plays: Sequence[Any], actions: Sequence[int]) -> None:
        """Takes an action in each game."""
        leapd_native.step(plays, actions)

    def rows(self, plays: Sequence[Any]) -> Rows:
        """The games as numbers."""
        arrays = leapd_native.rows(plays)
        return Rows(*(np.frombuffer(array, dtype).reshape(len(plays), -1)
                      for array, dtype in zip(arrays, (np.int8, np.uint8, np.int8, np.int32))))

    def close(self) -> None:
        """Nothing: no process runs."""
