"""Games as numbers and in words: actions, planes, many games at once, and the forms of other libraries."""

import asyncio
import copy
import itertools
import os
import pathlib
import random
import shlex
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, List, Optional

import pytest
from conftest import library

from leapclient import Engine, Refused
from leapclient.environments.text import TextGame, Verdict

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
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


def test_any_game_of_an_engine_has_actions_and_planes(games: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine without a guide, whose moves are single squares."""
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES.parent / "src"))
    source = random.Random(1)
    with games.Games("connect-four", command=[sys.executable, str(EXAMPLES / "connect_four.py")]) as made:
        assert made.actions.tokens[:2] == ("a1", "b1") and made.masks[0].sum() == 7
        while not made.over[0]:
            made.step(pick(made, source))
            assert made.observe()[0, made.planes.index("own disc")].sum() in {made.status().ply // 2,
                                                                             (made.status().ply + 1) // 2}


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


@pytest.fixture
def spiel(leapd: str) -> Any:
    pyspiel = library("pyspiel", "open_spiel")
    assert library("leapclient.environments.openspiel", "open_spiel").register(command=leapd) == [
        f"leap_{game}" for game in GAMES]
    return pyspiel


@pytest.mark.parametrize("game", GAMES)
def test_openspiel_accepts_the_games(spiel: Any, game: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough
    loaded = spiel.load_game(f"leap_{game}", {"options": "MaxPlies:8"})
    spiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)
    text = generate_playthrough.playthrough(str(loaded), action_sequence=None, seed=1)
    assert f"NumDistinctActions() = {GAMES[game]}\n" in text and "Returns() = [" in text


def test_a_copied_state_goes_its_own_way(spiel: Any) -> None:
    game = spiel.load_game("leap_alquerque", {"fen": "5/5/5/1m3/M4 1 - 0 0"})
    state = game.new_initial_state()
    state.apply_action(0)
    copied = state.clone()
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["b1", "a2", "c3"]
    state.apply_action(12)
    assert state.is_terminal() and state.returns() == [1, -1] and copied.legal_actions() == [1, 5, 12]
    copied.apply_action(1)
    assert copied.current_player() == 1 and str(copied) == "5/5/5/1m3/1M3 2 - 1 1"
    # The returned position is the one of the given history.
    again = game.deserialize_state(copied.serialize())
    assert str(again) == str(copied) and again.legal_actions() == copied.legal_actions()
    with pytest.raises(Refused, match="NoSuchOption"):
        spiel.load_game("leap_alquerque", {"options": "NoSuchOption:1"})


def test_a_game_in_words_tells_the_rules_and_the_board(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        game = TextGame(engine, "alquerque")
        prompt = game.prompt("p2")
        for part in ("You play Alquerque as Black.", "Captures: A man hops", "Example [b2d4]: A hop", "M man of White",
                     "square brackets"):
            assert part in prompt
        assert "White is to move.\nLegal moves: [b2c3] [c2c3] [d2c3] [d3c3]" in game.observation()
        assert "Legal moves" not in TextGame(engine, "alquerque", list_moves=False).observation()
        assert " 3 m m . M M\n" in game.observation() and "12-12" in game.observation()
        froglet = TextGame(engine, "froglet")
        assert "G green" in froglet.prompt() and "points: 0-0." in froglet.observation()


def test_an_illegal_answer_says_why_and_is_counted(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        game = TextGame(engine, "alquerque")
        occupied = game.answer("I move ahead: [b2b3]")
        assert not occupied and (occupied.reason, occupied.square) == ("landing-occupied", "b3")
        assert "landing-occupied at b3" in occupied.message
        for answer in ("b2c3", "", "[]", "[b2 c3]", "[b2c3\nquit]", "[\N{SNOWMAN}]", f"[{'a1' * 4000}]"):
            assert game.answer(answer).reason == "no-move"
        assert game.answer("[hello]").reason == "bad-text" and game.illegal == {"p1": 9, "p2": 0}
        assert game.answer("[B2C3], not [c2c3]") == Verdict("b2c3") and game.turn == "p2"
        assert not game.answer("[b2c3]") and game.illegal == {"p1": 9, "p2": 1}
        assert game.reward("p1") == 0 and not game.over and game.ending() == ""
        with pytest.raises(ValueError, match="expected a side, p1 or p2, found 'white'"):
            TextGame(engine, "alquerque", opponent=0, side="white")  # type: ignore[arg-type]


def test_an_engine_plays_the_other_side_at_its_level(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        # Player 2 of Sapos has two moves in a row.
        game = TextGame(engine, "sapos", opponent=-20)
        assert game.answer("[d2d4@d5]") and len(game.replies) == 2 and game.turn == "p1"
        assert f"played {' '.join(game.replies)}." in game.observation()
        won = TextGame(engine, "alquerque", opponent=100, side="p2", fen="5/5/5/1m3/M4 1 - 0 0")
        assert won.over and won.reward("p2") == -1 and won.ending().startswith("White wins: ")
        assert won.observation().endswith(won.ending())


@pytest.fixture
def arena(leapd: str) -> Any:
    textarena = library("textarena", "textarena")
    assert library("leapclient.environments.textarena", "textarena").register(command=leapd, opponent=-20) == [
        f"Leap-{game}-v0" for game in GAMES]
    return textarena


@pytest.mark.parametrize("game", GAMES)
def test_textarena_plays_against_an_engine(arena: Any, game: str) -> None:
    """As the tasks of verifiers do."""
    source = random.Random(game)
    made = copy.deepcopy(arena.make(env_id=f"Leap-{game}-v0"))
    made.reset(num_players=1, seed=1)
    player, seen = made.get_observation()
    assert player == 0 and "The rules:" in seen and "Legal moves:" in seen
    assert made.step("I do not know.")[0] is False and "invalid move" in made.get_observation()[1]
    while not made.state.done:
        made.step(f"[{source.choice(made.game.position.legal_moves)}]")
    rewards, info = made.close()
    assert rewards[0] in (-1, 0, 1) and info[0]["illegal"] == 1 and info[0]["refusal"] == ("no-move", "-")
    assert info[0]["reason"].endswith(".")


def test_textarena_plays_with_two_players(arena: Any) -> None:
    source = random.Random(1)
    made = arena.make(env_id="Leap-sapos-v0")
    made.reset(num_players=2)
    players = []
    while not made.state.done:
        players.append(made.get_observation()[0])
        made.step(f"[{source.choice(made.game.position.legal_moves)}]")
    assert players[:6] == [0, 1, 1, 0, 1, 0]
    rewards, info = made.close()
    assert sorted(rewards.values()) == [-1, 1] and info[0]["reason"] == info[1]["reason"]
    made.reset(num_players=2)
    assert [made.step("[d2d5]")[0] for _ in range(2)] == [False, True]
    rewards, info = made.close()
    assert rewards == {0: -1, 1: 1} and info[0]["illegal"] == 2 and info[0]["invalid_move"]


class Scripted:
    """A player in the form of verifiers, who takes random moves of those that are listed."""

    def __init__(self, task: Any) -> None:
        self.task = task
        self.rewards: List[float] = []
        self.trace = SimpleNamespace(info={}, record_reward=lambda name, value, weight: self.rewards.append(value))
        self.source = random.Random(task.data.info["seed"])

    async def __aenter__(self) -> "Scripted":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def turn(self, seen: Optional[str] = None) -> Any:
        listed = (seen or self.task.data.prompt).rpartition("Legal moves: ")[2].split()
        return SimpleNamespace(terminated=False, last_reply=f"I play {self.source.choice(listed)}.")


def test_verifiers_takes_the_command_lines_of_the_example(tmp_path: pathlib.Path) -> None:
    library("verifiers.v1", "verifiers")
    text = (EXAMPLES / "verifiers_leap.py").read_text().replace("\n        --", " --")
    lines = [shlex.split(line) for line in text.splitlines() if line.startswith("    vf-eval ")]
    assert len(lines) == 2
    paths = os.pathsep.join([str(EXAMPLES), str(EXAMPLES.parent / "src")])
    # Importing the library takes most of the time, so one process takes them all.
    code = f"""import sys
from verifiers.v1.cli.eval.main import main
for line in {lines}:
    sys.argv = [*line, "--dry-run"]
    main()
    print("taken")"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, text=True,
                         env={**os.environ, "PYTHONPATH": paths}, capture_output=True)
    assert run.returncode == 0 and run.stdout.splitlines().count("taken") == len(lines), run.stdout + run.stderr


def test_verifiers_plays_the_tasks_of_the_example(leapd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own loader of tasks and its own environment. Only the model is ours."""
    vf = library("verifiers.v1", "verifiers")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setenv("PATH", os.path.dirname(leapd))
    example = library("verifiers_leap", "verifiers")
    tasks = vf.load_taskset(example.LeapConfig(id="verifiers-leap", game="sapos", opponent=-20)).load()
    players: List[Scripted] = []

    def interaction(task: Any) -> Scripted:
        players.append(Scripted(task))
        return players[-1]
    agents = SimpleNamespace(player=SimpleNamespace(interaction=interaction))
    environment = vf.environment_class("verifiers-leap", None)
    for task in itertools.islice(tasks, 2):
        asyncio.run(environment.run(None, task, agents))
    assert [player.task.data.name for player in players] == ["Leap-sapos-v0#0", "Leap-sapos-v0#1"]
    for player in players:
        assert player.rewards[0] in (-1, 1) and " wins: " in player.trace.info["game_outcome"]
