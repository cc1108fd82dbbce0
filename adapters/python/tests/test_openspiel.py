"""The games of OpenSpiel as one engine: texts, rules, positions, the player."""

import os
import pathlib
import random
import sys
from typing import Iterator, List

import pytest

from leapclient import Engine, IllegalMove, Limit, Refused
from leapclient import openspiel
from leapclient.openspiel import GAMES, SpielGame, hive_text, hive_texts, main, spiel, stacks
from leapclient.serve import Position

PYTHON = pathlib.Path(__file__).resolve().parents[1]

if openspiel.pyspiel is None:
    missing = "no pyspiel: python3 -m pip install open_spiel"
    # As `leap_testing::skip` does for the tests in Rust.
    if {"all", "pyspiel"} & set(os.environ.get("LEAP_REQUIRE", "").split(",")):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing, allow_module_level=True)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    os.environ["PYTHONPATH"] = str(PYTHON / "src")
    with Engine.popen([sys.executable, "-m", "leapclient.openspiel"]) as engine:
        yield engine


def played(game: SpielGame, moves: str) -> Position:
    position = game.start_position()
    for move in moves.split():
        position = game.play(position, move)
    return position


@pytest.mark.parametrize("name", GAMES)
def test_random_games_have_one_word_for_each_move_and_a_text_for_each_position(name: str) -> None:
    game, chance = SpielGame(name), random.Random(name)
    position = game.start_position()
    for _ in range(40):
        if game.ending(position, 1).result != "none":
            break
        moves, state = game.moves(position), spiel(position).state
        assert all(move and len(move.split()) == 1 for move in moves)
        if not game.telling.whole and name != "hive":  # whose destinations OpenSpiel lists once for each neighbour
            assert len(moves) == len(state.legal_actions())
        position = game.play(position, chance.choice(moves))
        text = game.position_text(position)
        assert game.position_text(game.read_position(text)) == text
        assert all(square in game.index for square in position.board)


# A game's moves from the start, and one that is legal then.
TEXTS = {
    "amazons": ("d1d7@g7", "g10g8@d8"),
    "breakthrough": ("a2a3 h7h6 a3a4 h6h5 a4a5 h5h4", "a5b6"),
    "checkers": ("c3d4 b6c5 d4b6", "a7c5"),
    "connect_four": ("d1 d2", "d3"),
    "go": ("i4 q16 pass", "pass"),
    "gomoku": ("h8 i9", "o15"),
    "hex": ("k1 a11", "i9"),
    "lines_of_action": ("b1b3 a2c2", "c1a3"),
    "nine_mens_morris": ("a7 b6 d7 b4 g7", "xb4"),
    "othello": ("d3", "c5"),
    "shogi": ("7g7f 3c3d", "8h2b+"),
    "tic_tac_toe": ("a1 b2", "c3"),
    "ultimate_tic_tac_toe": ("e5", "d4"),
    "xiangqi": ("h3e3", "h10g8"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_moves_are_written_as_the_engines_of_the_game_write_them(name: str) -> None:
    moves, legal = TEXTS[name]
    game = SpielGame(name)
    assert legal in game.moves(played(game, moves))


def test_chess_has_the_moves_of_uci() -> None:
    game = SpielGame("chess")
    moves = game.moves(game.read_position("r3k2r/8/8/8/8/8/6p1/R3K3 b Qkq - 0 1"))
    assert {"e8g8", "e8c8", "g2g1q", "g2g1n"} <= set(moves)
    mated = played(game, "f2f3 e7e5 g2g4 d8h4")
    assert game.ending(mated, 1).result == "p2win"
    assert game.moves(mated) == []


def test_othello_passes_and_counts_discs() -> None:
    game, chance, passes = SpielGame("othello"), random.Random(1), 0
    for _ in range(30):
        position = game.start_position()
        while game.ending(position, 1).result == "none":
            moves = game.moves(position)
            passes += moves == ["pass"]
            position = game.play(position, chance.choice(moves))
        discs = list(position.board.values())
        margin = discs.count("M") - discs.count("m")
        assert game.ending(position, 1).result == ("draw" if margin == 0 else "p1win" if margin > 0 else "p2win")
    assert passes > 0


def test_a_destination_in_hive_has_one_text() -> None:
    game = SpielGame("hive")
    position = played(game, "wG1 bG1_-wG1 wQ_wG1-")
    found = stacks(spiel(position).state)
    for text in ("bA1 wG1/", "bA1 \\wQ"):
        assert hive_text(found, text) == "bA1_wG1/"
    assert game.meant(spiel(position), "bA1_/bG1") == "bA1_/bG1"
    for text in ("bA1_wS9-", "bA1_", "x", "bA1_*wQ"):
        assert game.meant(spiel(position), text) is None


class Passing:
    """A state of Hive in which the side to move has to pass."""

    def __str__(self) -> str:
        return "Base;InProgress;White[2];wG1;bG1 -wG1"

    def legal_actions(self) -> List[int]:
        return [7]

    def action_to_string(self, action: int) -> str:
        return "pass"


def test_hive_has_the_largest_board() -> None:
    assert SpielGame("hive").rules.get_parameters()["board_size"] == 14


def test_hive_has_passes_and_puts_men_down_in_the_order_of_their_numbers() -> None:
    assert "wA2" not in SpielGame("hive").moves(SpielGame("hive").start_position())
    assert hive_texts(Passing()) == {"pass": (7,)}


def test_the_engine_offers_all_games_and_their_options(engine: Engine) -> None:
    assert engine.command("query games")[0].split()[1:] == list(GAMES)
    engine.configure({"Game": "go", "BoardSize": 9, "Komi": "6.5"})
    assert engine.command("query game") == ["response go BoardSize 9 Komi 6.5 Parameters -"]
    # The position is that of the new size.
    assert len(engine.moves().moves) == 82
    engine.position(moves=["e5", "pass", "pass"])
    assert engine.status().result == "p1win"
    for name, value in (("Komi", "x"), ("Parameters", "colour=red"), ("BoardSize", "26")):
        with pytest.raises(Refused):
            engine.configure({name: value})
    with pytest.raises(IllegalMove):
        engine.position(moves=["e5", "e5"])
    # A board of 19 lines is told as a board, and its stones stand where they were put.
    engine.configure({"BoardSize": 19})
    engine.position(moves=["s19", "a1"])
    assert (engine.board().files, engine.board().ranks) == (19, 19)
    assert engine.fen().split()[0] == "18M/" + "19/" * 17 + "m18"
    # An option that a game lacks does not matter to it.
    engine.configure({"Game": "othello"})
    assert len(engine.moves().moves) == 4


def test_a_position_of_another_game_is_refused(engine: Engine) -> None:
    engine.configure({"Game": "othello"})
    for text in ("8/8/8/8/8/8/8/8 1 - 0 0", "x", "8/8/8/3Mm3/3mM3/8/8/8 1 999.x 0 2"):
        with pytest.raises(Refused):
            engine.position(text)


def test_the_player_wins_where_one_move_wins(engine: Engine) -> None:
    engine.configure({"Game": "connect_four", "BoardSize": 0, "Komi": "-"})
    moves: List[str] = ["a1", "g1", "b1", "g2", "c1", "g3"]
    engine.position(moves=moves)
    assert engine.play(Limit(nodes=500)).move == "d1"
    engine.position(moves=[*moves[:5], "f1"])
    assert engine.play(Limit(time=0.5)).move == "d1"


def test_without_open_spiel_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel, "pyspiel", None)
    with pytest.raises(SystemExit, match="pip install open_spiel"):
        main()
