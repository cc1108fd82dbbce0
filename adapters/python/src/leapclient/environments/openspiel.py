"""Games of an engine as games of OpenSpiel: `pip install leapd[openspiel]`.

`register` adds the games to `pyspiel`, such as `leap_eximo`. An action is a token of a move, as in `Games`.
"""

import copy
import functools
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .games import Games
from .source import Play

GAMES = ("alquerque", "eximo", "sapos", "froglet", "tactica")
# The most actions of a move (SPEC 9.26).
MOVE_ACTIONS = 1024
# The longest game that is told to the library, which counts actions in 32 bits.
MOST_PLIES = 1_000_000

Command = Union[str, Tuple[str, ...], None]


def register(games: Sequence[str] = GAMES, command: Union[str, Sequence[str], None] = None) -> List[str]:
    """Adds games to `pyspiel`, and returns their names for `pyspiel.load_game`.

    The parameters of a game are a position text `fen`, and rule options such as `options=MaxPlies:40`, separated by
    blanks.
    """
    words: Command = command if command is None or isinstance(command, str) else tuple(command)
    types = [_type(game) for game in games]
    for game, kind in zip(games, types):
        pyspiel.register_game(kind, _class_of(game, kind, words))
    return [kind.short_name for kind in types]


def _type(game: str) -> Any:
    return pyspiel.GameType(
        short_name=f"leap_{game}", long_name=game.capitalize(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2, min_num_players=2,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"fen": "", "options": ""})


def _class_of(game: str, kind: Any, command: Command) -> Any:
    """What makes the games of this kind. It is a class: the library frees other objects after the end of Python."""
    class Registered(LeapGame):
        def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
            super().__init__(game, kind, command, params)
    return Registered


@functools.lru_cache(maxsize=32)
def _games(game: str, command: Command, fen: str, options: str) -> Games:
    """The engine of a game: one for all states."""
    settings = dict(option.split(":", 1) for option in options.split())
    return Games(game, options=settings, command=command, fen=fen or None)


class SharedPlay:
    """A game that can be copied and pickled. Copies ask the same engine."""

    def __init__(self, source: Tuple[str, Command, str, str]) -> None:
        self.source = source
        self.games = _games(*source)
        self.play = self.games.first.copy()
        self.actions: List[int] = []

    def take(self, action: int) -> None:
        """Takes an action."""
        self.games.source.step([self.play], [action])
        self.actions.append(action)

    def __deepcopy__(self, memo: Dict[int, Any]) -> "SharedPlay":
        copied = copy.copy(self)
        copied.play, copied.actions = self.play.copy(), list(self.actions)
        return copied

    def __reduce__(self) -> Tuple[Any, ...]:
        return _replayed, (self.source, self.actions)


def _replayed(source: Tuple[str, Command, str, str], actions: Sequence[int]) -> SharedPlay:
    """A game after these actions."""
    shared = SharedPlay(source)
    for action in actions:
        shared.take(action)
    return shared


class LeapGame(pyspiel.Game):
    """A game of an engine."""

    def __init__(self, game: str, kind: Any, command: Command, params: Optional[Dict[str, Any]]) -> None:
        found = params or {}
        self.source = (game, command, str(found.get("fen", "")), str(found.get("options", "")))
        games = _games(*self.source)
        plies = int(games.settings.get("MaxPlies", 0)) or MOST_PLIES
        info = pyspiel.GameInfo(
            num_distinct_actions=len(games.actions), max_chance_outcomes=0, num_players=2, min_utility=-1.0,
            max_utility=1.0, utility_sum=0.0, max_game_length=min(plies, MOST_PLIES) * MOVE_ACTIONS)
        super().__init__(kind, info, found)

    def new_initial_state(self, state: Optional[str] = None) -> "LeapState":
        """The position in which games begin."""
        if state is not None:
            raise ValueError("expected no state: the parameter `fen` sets where games begin")
        return LeapState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Optional[Dict[str, Any]] = None) -> Any:
        """The planes, or the history for an observer with perfect recall."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(_games(*self.source), params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class LeapState(pyspiel.State):
    """A position, and what has been entered of a move."""

    def __init__(self, game: LeapGame) -> None:
        super().__init__(game)
        self.shared = SharedPlay(game.source)

    @property
    def play(self) -> Play:
        """The game, with what has been entered."""
        return self.shared.play

    def current_player(self) -> int:
        """The player to move."""
        terminal: int = pyspiel.PlayerId.TERMINAL
        return terminal if self.play.over else self.play.player

    def _legal_actions(self, player: int) -> List[int]:
        return sorted(self.play.legal) if player == self.play.player else []

    def _apply_action(self, action: int) -> None:
        self.shared.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.shared.games.actions.tokens[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.play.over

    def returns(self) -> List[float]:
        """What each player has got."""
        result = float(self.play.result)
        return [result, 0.0 - result]

    def __str__(self) -> str:
        return f"{self.play.fen} {self.play.entered}".rstrip()


class PlanesObserver:
    """The planes of `Games.observe`, in the form of `open_spiel.python.observation`."""

    def __init__(self, games: Games, params: Optional[Dict[str, Any]]) -> None:
        if params:
            raise ValueError(f"expected no parameters, found {params}")
        self._games = games
        shape = games.observe().shape[1:]
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: LeapState, player: int) -> None:
        """Shows a state to a player."""
        self.dict["observation"][:] = self._games.draw([state.play], [player])[0]

    def string_from(self, state: LeapState, player: int) -> str:
        """The state as text."""
        return str(state)
