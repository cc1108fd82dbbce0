"""Games in the form of TextArena: `pip install leapd[text]`.

`register` names the games, such as `Leap-eximo-v0`. The tasks of the library verifiers take the same environments: one
player who sends answers, and an engine as the opponent.
"""

import copy
import random
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import textarena
from textarena.envs.registration import ENV_REGISTRY
from textarena.wrappers import LLMObservationWrapper

from ..model import Side
from ..sync import Engine
from .text import TextGame

GAMES = ("alquerque", "eximo", "sapos", "froglet", "tactica")
SIDES: Tuple[Side, Side] = ("p1", "p2")


def register(games: Sequence[str] = GAMES, **settings: Any) -> List[str]:
    """Adds games to TextArena, and returns their names for `textarena.make`. `settings` are those of `LeapEnv`."""
    names = [f"Leap-{game}-v0" for game in games]
    for name, game in zip(names, games):
        ENV_REGISTRY.pop(name, None)
        textarena.register(name, LeapEnv, [LLMObservationWrapper], game=game, **settings)
    return names


class LeapEnv(textarena.Env):
    """A game of one player against an engine, or of two players, as `reset` says.

    `opponent`, `side` and `list_moves` are those of `TextGame`. A player may answer illegally `allowance` times in a
    row; the next illegal answer loses. `game_info` of the state counts all illegal answers of a player under
    `illegal`, and has the last refusal under `refusal`: reason and square.
    """

    def __init__(self, game: str, opponent: int = 20, side: Side = "p1", list_moves: bool = True, allowance: int = 1,
                 options: Optional[Mapping[str, object]] = None, fen: Optional[str] = None,
                 command: Union[str, Sequence[str], None] = None) -> None:
        self._settings: Dict[str, Any] = {
            "game": game, "opponent": opponent, "side": side, "list_moves": list_moves, "allowance": allowance,
            "options": options, "fen": fen, "command": command}
        self._engine: Optional[Engine] = None

    def __deepcopy__(self, memo: Dict[int, Any]) -> "LeapEnv":
        """The same environment before its `reset`: a copy has an engine of its own."""
        return LeapEnv(**copy.deepcopy(self._settings, memo))

    def reset(self, num_players: int = 1, seed: Optional[int] = None) -> None:
        """Begins a game. `seed` is the seed of the opponent. Without one it comes from `random`, as TextArena's do."""
        settings = self._settings
        if self._engine is None:
            self._engine = Engine.popen(settings["command"])
        self._engine.new_game()
        is_alone = num_players == 1
        if is_alone:
            self._engine.configure({"Seed": random.getrandbits(31) if seed is None else seed % (1 << 31)})
        opponent = settings["opponent"] if is_alone else None
        self.game = TextGame(self._engine, settings["game"], opponent, settings["side"], settings["list_moves"],
                             settings["options"], settings["fen"])
        kind = textarena.SinglePlayerState if is_alone else textarena.TwoPlayerState
        self.state = kind(num_players=num_players, seed=seed, error_allowance=settings["allowance"])
        self.state.reset(game_state={"fen": self.game.position.fen()}, player_prompt_function=self._prompt)
        for info in self.state.game_info.values():
            info["illegal"] = 0
        self._show()

    def _prompt(self, player_id: int, game_state: Dict[str, Any]) -> str:
        return self.game.prompt(self._side(player_id))

    def _side(self, player: int) -> Side:
        return self.game.side if self.state.num_players == 1 else SIDES[player]

    def _player(self, side: Side) -> int:
        return 0 if self.state.num_players == 1 else SIDES.index(side)

    def _show(self) -> None:
        self.state.add_observation(
            message=self.game.observation(), observation_type=textarena.ObservationType.GAME_BOARD)

    def step(self, action: str) -> Tuple[bool, Dict[str, Any]]:
        """Takes an answer of the player whose turn it is."""
        state, player = self.state, self.state.current_player_id
        state.add_observation(
            from_id=player, message=action, observation_type=textarena.ObservationType.PLAYER_ACTION)
        verdict = self.game.answer(action)
        if not verdict:
            state.game_info[player]["illegal"] += 1
            state.game_info[player]["refusal"] = (verdict.reason, verdict.square)
            state.set_invalid_move(reason=verdict.message)
        elif self.game.over:
            self._finish()
        state.game_state["fen"] = self.game.position.fen()
        self._show()
        done: Tuple[bool, Dict[str, Any]]
        if state.num_players == 1:
            done = state.step()
        else:
            done = state.step(rotate_player=False)
            # A side may have several moves in a row.
            if verdict and not state.done:
                state.manually_set_current_player_id(self._player(self.game.turn))
        return done

    def _finish(self) -> None:
        outcome = self.game.position.outcome()
        reason = self.game.ending()
        if self.state.num_players == 1:
            self.state.set_outcome(self.game.reward(self.game.side), reason)
        elif outcome is None or outcome.winner is None:
            self.state.set_draw(reason)
        else:
            self.state.set_winner(self._player(outcome.winner), reason)

    def close(self) -> Any:
        """Ends the engine, and returns what TextArena returns: the rewards and what is known of each player."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None
        return self.state.close()
