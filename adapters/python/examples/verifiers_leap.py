"""Games against leapd for the library verifiers: its own environment for TextArena plays them.

Where this file and leapclient can be imported, `verifiers-leap` is the id of the taskset:

    vf-eval verifiers-leap --env.taskset.game eximo -n 10 -m MODEL

By default a run needs an account of Prime Intellect, and plays in its containers. On this machine, with any server that
speaks OpenAI's protocol, and with uv installed:

    vf-eval verifiers-leap -n 10 -m MODEL --push False
        --client.base-url http://127.0.0.1:8000/v1 --client.api-key-var OPENAI_API_KEY
        --env.player.harness.id null --env.player.runtime.type subprocess
"""

import itertools
from typing import Iterator

import textarena
import verifiers.v1 as vf
from verifiers.v1.tasksets.textarena import TextArenaData, TextArenaEnv, TextArenaTask

from leapclient.environments.textarena import register

__all__ = ["LeapEnv", "LeapTaskset"]

SYSTEM_PROMPT = "You play a board game. Think first, then give your move as the only text in square brackets."


class LeapConfig(vf.TasksetConfig):
    """The game and the level of the opponent, from -20 (random moves) to 100."""

    game: str = "alquerque"
    opponent: int = 0
    list_moves: bool = True


class LeapTaskset(vf.Taskset[TextArenaTask, LeapConfig]):
    """A game for each seed. The seed is that of the opponent."""

    INFINITE = True

    def load(self) -> Iterator[TextArenaTask]:
        config = self.config
        [name] = register([config.game], opponent=config.opponent, list_moves=config.list_moves)
        game = textarena.make(env_id=name)
        game.reset(num_players=1)
        _, prompt = game.get_observation()
        game.close()
        for seed in itertools.count():
            data = TextArenaData(name=f"{name}#{seed}", prompt=prompt, system_prompt=SYSTEM_PROMPT,
                                 info={"game": name, "seed": seed})
            yield TextArenaTask(data, config.task)


class LeapEnv(TextArenaEnv):
    """The environment of verifiers for games of TextArena."""
