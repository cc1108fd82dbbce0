"""Games as AEC environments of PettingZoo: `pip install leapd[pettingzoo]`."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import gymnasium.spaces
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .games import Games

AGENTS = ["player_1", "player_2"]


def env(game: str, **settings: Any) -> "AECEnv[str, Dict[str, Any], int]":
    """The game as an environment in which an illegal action loses, with the checks of PettingZoo.

    `settings` are those of `raw_env`.
    """
    found = raw_env(game, **settings)
    found = wrappers.TerminateIllegalWrapper(found, illegal_reward=-1)
    found = wrappers.AssertOutOfBoundsWrapper(found)
    return wrappers.OrderEnforcingWrapper(found)


class raw_env(AECEnv):
    """A game of two agents, `player_1` and `player_2`.

    An observation is a dictionary: `observation` has the planes of `Games.observe`, and `action_mask` has 1 for each
    legal action. The mask of the agent that is not to move is empty. A move may take several actions of the same agent.
    An illegal action raises `ValueError`.
    """

    def __init__(self, game: str, render_mode: Optional[str] = None, options: Optional[Mapping[str, object]] = None,
                 command: Union[str, Sequence[str], None] = None, fen: Optional[str] = None) -> None:
        super().__init__()
        modes = ["human", "ansi"]
        self.metadata = {"name": f"{game}_v0", "render_modes": modes, "is_parallelizable": False}
        if render_mode not in (None, *modes):
            raise ValueError(f"expected render_mode 'human' or 'ansi', found {render_mode!r}")
        self.render_mode = render_mode
        self.games = Games(game, options=options, command=command, fen=fen)
        self.possible_agents = list(AGENTS)
        shape = self.games.observe().shape[1:]
        planes = gymnasium.spaces.Box(0.0, 1.0, shape, np.float32)
        mask = gymnasium.spaces.Box(0, 1, (len(self.games.actions),), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": planes, "action_mask": mask}) for agent in AGENTS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(len(self.games.actions)) for agent in AGENTS}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a game. No game has chance: `seed` changes nothing. The frogs of Froglet are an option of the game."""
        self.games.reset()
        self.agents: List[str] = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, bool(self.games.over[0]))
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()

    def observe(self, agent: str) -> Dict[str, Any]:
        mask = self.games.masks[0]
        is_to_move = agent == self.agent_selection and not self.games.over[0]
        return {"observation": self.games.observe([AGENTS.index(agent)])[0],
                "action_mask": mask.copy() if is_to_move else np.zeros_like(mask)}

    def step(self, action: Optional[int]) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("expected an action, found None: the game is not over")
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        [rewards], [over] = self.games.step([int(action)])
        self.rewards = dict(zip(AGENTS, map(float, rewards)))
        self.terminations = dict.fromkeys(AGENTS, bool(over))
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        self.agent_selection = AGENTS[self.games.players[0]]

    def render(self) -> Optional[str]:
        """The board in letters, with the part of a move that has been entered. The mode `human` prints it."""
        entered = self.games.entered()
        text = "\n".join([self.games.text(), f"{self.agent_selection} {entered}".rstrip()])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Ends the engine process."""
        self.games.close()
