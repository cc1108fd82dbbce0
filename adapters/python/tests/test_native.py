"""The rules inside the process say what the engine says, in every game and under every option."""

import random
from typing import Any, Dict, Iterator, List, Tuple

import pytest
from conftest import library

from leapclient import Engine, IllegalMove, Refused, protocol

GAMES = ("alquerque", "eximo", "sapos", "froglet", "tactica")
FENS = {"alquerque": "5/5/5/1m3/M3M 1 - 3 9", "eximo": "8/2M4m/8/8/8/8/8/8 1 - 2 40"}


@pytest.fixture(scope="session")
def native() -> Any:
    return library("leapd_native", "leapd-native, or adapters/python/native/build")


@pytest.fixture(scope="session")
def games(native: Any) -> Any:
    return library("leapclient.environments.games", "numpy")


def options(leapd: str, game: str) -> Iterator[Dict[str, object]]:
    """Short games with the defaults, and with each other value of each option of the rules that has few."""
    short: Dict[str, object] = {"MaxPlies": 30}
    yield short
    with Engine.popen(leapd) as engine:
        engine.configure({"Game": game})
        for name, value in engine.game().items():
            known = engine.options[name]
            values = ("true", "false") if known.type == "check" else known.var
            yield from ({**short, name: other} for other in values if name != "Game" and other != value)


@pytest.mark.parametrize("game", GAMES)
def test_random_games_are_those_of_the_engine(games: Any, leapd: str, game: str) -> None:
    """Masks, planes, rewards, ends, texts. A few games of each option at once."""
    source = random.Random(game)
    ends = 0
    for settings in options(leapd, game):
        with games.Games(game, 4, 1, settings, leapd) as asked, games.Games(game, 4, 1, settings) as own:
            assert type(own.source).__name__ == "Native" and type(asked.source).__name__ == "Processes"
            assert (own.settings, own.board, own.rules) == (asked.settings, asked.board, asked.rules)
            assert own.planes == asked.planes and own.actions.tokens == asked.actions.tokens
            for _ in range(120):
                assert (own.masks == asked.masks).all() and (own.players == asked.players).all()
                for players in (None, [1] * 4):
                    assert (own.observe(players) == asked.observe(players)).all()
                for index in range(4):
                    told = [(play.fen, play.status, play.moves, play.entered, play.legal, play.result)
                            for play in (own._plays[index], asked._plays[index])]
                    assert told[0] == told[1]
                actions = [source.choice(mask.nonzero()[0].tolist() or [0]) for mask in asked.masks]
                (rewards, over), (others, ended) = own.step(actions), asked.step(actions)
                assert (rewards == others).all() and (over == ended).all()
                ends += over.sum()
    assert ends > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_as_the_engine_tells(native: Any, leapd: str, game: str) -> None:
    """Moves as texts, tokens, undo, copies, keys."""
    source = random.Random(game)
    with Engine.popen(leapd) as engine:
        engine.configure({"Game": game, "MaxPlies": 30})
        play = native.Rules(game, {"MaxPlies": "30"}).start()
        keys: List[Tuple[str, int]] = []
        while not play.over:
            keys.append((play.fen, play.key))
            moves = play.legal_moves(200)
            assert moves == list(engine.moves(200)) and play.fen == engine.fen() and play.next() == engine.next()
            assert play.side == engine.status().turn and play.status == engine.query("status")
            move = source.choice(moves)
            copied = play.copy()
            play.play(move)
            engine.move(move)
            assert copied.moves == play.moves[:-1] and copied.fen == keys[-1][0]
        assert engine.game_over() and play.moves == list(engine.history()) and play.legal_moves() == []
        assert {"p1win": 1, "p2win": -1, "draw": 0}[engine.result()] == play.result
        while keys:
            play.undo()
            assert (play.fen, play.key) == keys.pop()
        with pytest.raises(IndexError, match="cannot take back 1 moves: the game has 0"):
            play.undo()


@pytest.mark.parametrize("game, settings, fen", [
    ("chess", {}, None), ("eximo", {"NoSuchOption": 1}, None), ("eximo", {"MaxPlies": "x"}, None),
    ("eximo", {"MaxPlies": -1}, None), ("eximo", {}, "8/8"), ("sapos", {}, "\N{SNOWMAN}"),
    ("alquerque", {}, "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 3 - 0 0")])
def test_what_the_engine_refuses_is_refused_in_its_words(
        games: Any, leapd: str, game: str, settings: Dict[str, object], fen: Any) -> None:
    lines = []
    for command in (leapd, None):
        with pytest.raises(Refused) as error:
            games.Games(game, options=settings, command=command, fen=fen)
        lines.append(str(error.value))
    assert lines[0] == lines[1]


def test_an_illegal_action_or_move_changes_nothing(games: Any, native: Any, leapd: str) -> None:
    for command in (leapd, None):
        with games.Games("sapos", 2, command=command) as made:
            d2, a1 = map(made.actions.number, ("d2", "a1"))
            for actions, what in (([d2, a1], "a1"), ([d2, -1], "-1"), ([d2, 999], "999"), ([d2, 128], "end")):
                with pytest.raises(ValueError, match=f"expected a legal action in game 1, found {what}$"):
                    made.step(actions)
            assert made.entered(0) == ""
            with pytest.raises(ValueError, match="expected 2 actions, found 1"):
                made.step([d2])
    play = native.Rules("sapos").start()
    with pytest.raises(native.Refused) as error:
        play.play("d2d3")
    refusal = protocol.error(str(error.value))
    assert isinstance(refusal, IllegalMove) and refusal.fields["reason"] == "no-such-line"
    assert play.moves == [] and native.Rules("sapos").start(tokens=["a1"]).legal_moves(1) == play.legal_moves(1)
    with pytest.raises(ValueError, match="expected a token of a move, found \"a1b2\""):
        native.Rules("sapos").start(tokens=["a1b2"])
    with pytest.raises(ValueError, match="expected a number for each of"):
        assert native.Rules("sapos").start(tokens=["a1"]).legal


@pytest.mark.parametrize("game, fen", FENS.items())
def test_games_begin_again_where_they_began(games: Any, game: str, fen: str) -> None:
    source = random.Random(1)
    with games.Games(game, 2, fen=fen) as made:
        assert made.status().ply == int(fen.rpartition(" ")[2])
        made.reset([fen, made.first.fen])
        while not made.over[0]:
            made.step([source.choice(mask.nonzero()[0].tolist() or [0]) for mask in made.masks])
        made.step([0, made.masks[1].argmax()])
        assert made.text() == games.diagram.text(fen, made.board) and made.moves() == []


def test_an_environment_without_a_command_uses_the_module(native: Any) -> None:
    zoo = library("leapclient.environments.pettingzoo", "pettingzoo")
    from pettingzoo.test import api_test, seed_test
    made = zoo.env("sapos")
    assert type(made.unwrapped.games.source).__name__ == "Native"
    api_test(made, num_cycles=100)
    seed_test(lambda: zoo.env("alquerque"), num_cycles=30)


def test_openspiel_accepts_the_games_of_the_module(native: Any) -> None:
    pyspiel = library("pyspiel", "open_spiel")
    openspiel = library("leapclient.environments.openspiel", "open_spiel")
    for game, name in zip(GAMES, openspiel.register()):
        loaded = pyspiel.load_game(name, {"options": "MaxPlies:8"})
        assert type(openspiel._games(game, None, "", "MaxPlies:8").source).__name__ == "Native"
        pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)
