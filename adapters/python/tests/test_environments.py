"""Games as numbers: actions, planes, many games at once, and the forms of other libraries."""

import random
from typing import Any, List

import pytest
from conftest import library

from leapclient import Engine

GAMES = {"alquerque": 26, "eximo": 129, "sapos": 129, "froglet": 289, "tactica": 65}


@pytest.fixture(scope="session")
def games() -> Any:
    return library("leapclient.environments.games", "numpy")


def pick(made: Any, source: random.Random) -> List[int]:
    """A legal action in each game."""
    return [source.choice(mask.nonzero()[0].tolist() or [0]) for mask in made.masks]


@pytest.mark.parametrize("game, count", GAMES.items())
def test_actions_are_the_tokens_of_query_next(games: Any, leapd: str, game: str, count: int) -> None:
    source = random.Random(game)
    with games.Games(game, command=leapd) as made, Engine.popen(leapd) as engine:
        engine.configure({"Game": game})
        assert len(made.actions) == made.masks.shape[1] == count
        for _ in range(60):
            engine.position(moves=made.moves())
            legal = [made.actions.tokens[action] for action in made.masks[0].nonzero()[0]]
            assert legal == engine.next(made.entered())
            made.step(pick(made, source))


@pytest.mark.parametrize("game", GAMES)
def test_planes_show_the_board_with_the_entered_part_of_a_move(games: Any, leapd: str, game: str) -> None:
    source = random.Random(game)
    with games.Games(game, command=leapd) as made:
        for _ in range(60):
            planes = dict(zip(made.planes, made.observe()[0]))
            pieces = made.observe()[0, :made.planes.index("route")]
            assert (pieces.sum(axis=0) == 1).all(), "each square shows one piece, or that it is empty"
            assert planes["route"].any() == (made.entered() not in ("", "pass"))
            assert (planes["player 1"] == 1 - made.players[0]).all() and (planes["to move"] == 1).all()
            if not made.entered():
                shown = sum(plane.sum() for name, plane in zip(made.planes[1:], pieces[1:]))
                assert shown == sum(map(str.isalpha, made.text().rpartition("\n")[0]))
            made.step(pick(made, source))


def test_a_move_shows_as_it_is_entered(games: Any, leapd: str) -> None:
    with games.Games("sapos", command=leapd) as made:
        def planes() -> Any:
            return dict(zip(made.planes, made.observe()[0]))
        for token, men in (("d2", 4), ("d4", 4), ("@d5", 4)):
            assert planes()["own frog"].sum() == men
            made.step([made.actions.number(token)])
        # Player 2 makes two moves in a row, and now sees the new frog.
        assert made.moves() == ["d2d4@d5"] and made.players[0] == 1
        assert planes()["other frog"].sum() == 5 and planes()["other frog"][4, 3] == 1 and planes()["turns"][0, 0] == 1
        made.step([made.actions.number("d7")])
        assert planes()["route"][6, 3] == planes()["here"][6, 3] == 1
        with pytest.raises(ValueError, match="legal action in game 0, found @a1"):
            made.step([made.actions.number("@a1")])
        assert made.entered() == "d7"


def test_games_of_a_pool_are_as_games_alone(games: Any, leapd: str) -> None:
    """Rewards, ends and fresh starts too."""
    def play(count: int, processes: int) -> List[Any]:
        sources = [random.Random(seed) for seed in range(4)]
        found: List[Any] = []
        with games.Games("eximo", count, processes, {"MaxPlies": 40}, leapd) as made:
            for first in range(0, 4, count):
                made.reset()
                for _ in range(150):
                    actions = [sources[first + at].choice(mask.nonzero()[0].tolist() or [0])
                               for at, mask in enumerate(made.masks)]
                    rewards, over = made.step(actions)
                    assert not rewards[~over].any() and not rewards.sum(axis=1).any()
                    found += [(first + at, over[at], rewards[at].tolist(), made.observe()[at].tobytes())
                              for at in range(count)]
        return sorted(found)
    alone = play(1, 1)
    assert play(4, 3) == play(4, 1) == alone and any(over for _, over, *_ in alone)


def test_wrong_settings_are_refused_and_a_position_begins_the_games(games: Any, leapd: str) -> None:
    with pytest.raises(ValueError, match="expected 1 to 2 processes"):
        games.Games("eximo", 2, 3, command=leapd)
    with pytest.raises(games.Refused):
        games.Games("chess", command=leapd)
    with games.Games("alquerque", 2, command=leapd, fen="5/5/5/1m3/M4 1 - 0 0") as made:
        assert made.step([0, 0])[1].tolist() == [False, False]
        rewards, over = made.step([made.actions.number("c3")] * 2)
        assert over.all() and rewards.tolist() == [[1, -1]] * 2 and made.status().reason == "no-moves"
        assert not made.step([0, 0])[1].any() and made.moves() == []
        made.reset(["5/5/5/1m3/M3M 1 - 3 9", "5/5/5/1m3/M3M 2 - 3 9"])
        assert made.players.tolist() == [0, 1] and made.status(1).ply == 9
        with pytest.raises(ValueError, match="expected 2 position texts, found 1"):
            made.reset(["5/5/5/1m3/M3M 1 - 3 9"])


@pytest.fixture
def zoo() -> Any:
    return library("leapclient.environments.pettingzoo", "pettingzoo")


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_the_environments(zoo: Any, leapd: str, game: str) -> None:
    from pettingzoo.test import api_test, seed_test
    made: List[Any] = []

    def build() -> Any:
        made.append(zoo.env(game, command=leapd, render_mode="ansi"))
        return made[-1]
    api_test(build(), num_cycles=100)
    seed_test(build, num_cycles=30)
    for environment in made:
        environment.close()


def test_an_illegal_action_of_an_agent_loses(zoo: Any, leapd: str) -> None:
    environment = zoo.env("alquerque", command=leapd, render_mode="ansi")
    environment.reset()
    environment.step(0)
    assert environment.rewards == {"player_1": -1, "player_2": 0} and all(environment.terminations.values())
    environment.reset()
    assert environment.observe("player_2")["action_mask"].sum() == 0
    environment.step(6)
    assert environment.render().endswith("player_1 b2")
    environment.step(12)
    assert environment.agent_selection == "player_2" and environment.observe("player_2")["action_mask"].sum() > 0
    environment.close()
