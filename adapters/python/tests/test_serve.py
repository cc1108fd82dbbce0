"""Games on `leapclient.serve`, as an engine that the client talks to and as a library."""

import pathlib
import sys
from threading import Event
from typing import Iterator, List, Optional, Tuple

import pytest

from leapclient import Engine, IllegalMove, Limit, Refused
from leapclient.serve import Ending, Game, Illegal, Option, Position, serve, squares
from leapclient.serve import texts
from leapclient.serve.go import plays_at_random
from leapclient.serve.partial import awaited, board_changes, enter
from leapclient.serve.search import WIN, Line, Search
from leapclient.serve.session import History

PYTHON = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = PYTHON / "examples"


@pytest.fixture(autouse=True)
def finds_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PYTHON / "src"))


def example(name: str) -> Engine:
    return Engine.popen([sys.executable, str(EXAMPLES / f"{name}.py")])


def test_several_games_are_one_engine() -> None:
    script = (f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
              "from connect_four import ConnectFour\nfrom othello import Othello\n"
              "from leapclient.serve import serve\nserve(ConnectFour(), Othello())")
    with Engine.popen([sys.executable, "-c", script]) as engine:
        assert engine.games() == ["connect-four", "othello"]
        assert len(engine.moves().moves) == 7
        engine.configure({"Game": "othello", "MaxPlies": 30})
        assert engine.game() == {"Game": "othello", "MaxPlies": "30"}
        assert len(engine.moves().moves) == 4
        engine.configure({"UCI_Variant": "connect-four"})
        assert len(engine.moves().moves) == 7
        with pytest.raises(Refused):
            engine.configure({"Game": "chess"})


class Sketch(Game):
    """A game of given moves: each takes the first square's piece to the last one, and drops men."""

    name, title = "sketch", "Sketch"
    files, ranks = 4, 3
    pieces = {"M": ("man", 1), "K~": ("king", 1), "m": ("man", 2), "x": ("stone", 0)}
    start = "mm2/4/MM2"
    options = {"SketchTwice": Option("check", "false")}
    given: Tuple[str, ...] = ("a1a2", "a1a2@c1@d1", "b1b2@c1", "a1a2a3")

    def legal_moves(self, position: Position) -> List[str]:
        return list(self.given)

    def play(self, position: Position, move: str) -> Position:
        board, names = dict(position.board), squares(move)
        if move.startswith("x"):
            del board[names[0]]
        elif move != "pass" and len(names) > 1:
            route = [name for name in names if "@" + name not in move]
            board[route[-1]] = board.pop(route[0])
        drops = [token[1:] for token in texts.tokens(move) if token[0] == "@"]
        return position.after({**board, **dict.fromkeys(drops, "M")})


def history(game: Game, text: Optional[str] = None) -> History:
    return History(game, texts.read_position(game, text or texts.start(game)))


def test_connect_four_puts_discs_on_single_squares() -> None:
    with example("connect_four") as engine:
        assert engine.moves().moves == ("a1", "b1", "c1", "d1", "e1", "f1", "g1")
        engine.move("d1")
        assert engine.next() == ["a1", "b1", "c1", "e1", "f1", "g1", "d2"]
        assert engine.effects("d2").steps == [("dropped", "d2=m")]
        assert engine.legal("d1").reason == "landing-occupied" and engine.legal("d3").reason == "not-here"
        engine.move("e1", "d2", "e2", "d3", "e3", "d4")
        assert engine.status().result == "p1win" and engine.status().reason == "no-moves"
        assert engine.play(Limit(depth=1)).move is None
        engine.undo(7)
        assert engine.history() == [] and engine.fen() == "7/7/7/7/7/7 1 - 0 0"


def test_without_an_evaluation_the_player_finds_a_win_and_stops_a_loss() -> None:
    with example("connect_four") as engine:
        engine.position(moves=["a1", "b1", "a2", "b2", "a3", "b3"])
        won = engine.play(Limit(depth=1))
        assert won.move == "a4" and won.info.score is not None and won.info.score.mate_plies == 1
        engine.position(moves=["a1", "b1", "a2", "b2", "a3"])
        assert engine.play(Limit(depth=2)).move == "a4"


def test_othello_counts_as_published() -> None:
    with example("othello") as engine:
        counts = [engine.command(f"perft {depth}", timeout=60)[-1].split()[3] for depth in range(1, 5)]
        assert counts == ["4", "12", "56", "244"]
        assert "eval" in engine.protocol() and engine.eval()["total"] == 0


def test_othello_passes_where_a_side_cannot_move() -> None:
    with example("othello") as engine:
        engine.position("Mm6/8/8/8/8/8/8/6mM 2 - 0 10")
        assert engine.moves().moves == ("pass",) and engine.next() == ["pass"]
        assert engine.turn().awaits == ("pass",)
        engine.move("PASS")
        assert engine.status().turn == "p1" and engine.status().ply == 11
        assert engine.moves().moves == ("f1", "c8")
        assert engine.effects("f1").steps == [("dropped", "f1=M"), ("flipped", "g1=M")]
        with pytest.raises(IllegalMove) as refused:
            engine.move("pass")
        assert (refused.value.reason, refused.value.square) == ("cannot-pass", "-")


def test_a_move_is_entered_by_its_tokens() -> None:
    game = Sketch()
    start = history(game).position
    rows = [
        ("a1", "step", 0, None), ("a1a2", "step,drop,end", 0, "a1a2"), ("a1a2@d1", "drop", 1, None),
        ("a1a2@d1@c1", "end", 0, "a1a2@c1@d1"), ("b1b2", "drop", 1, None), ("b1b2@c1", "end", 0, "b1b2@c1"),
        ("a1a2a3", "end", 0, "a1a2a3"),
    ]
    for text, kinds, drops, move in rows:
        partial = enter(game, start, False, text)
        assert (awaited(partial, False), partial.drops()) == (kinds, drops), text
        assert not partial.may_end() if move is None else partial.finish() == move, text
    assert game.partial_move(start).tokens() == ["a1", "b1"]
    assert enter(game, start, False, "a1a2").tokens() == ["a3", "@c1", "@d1"]


def test_moves_are_listed_by_the_indices_of_their_squares() -> None:
    moves = ["pass", "b1b2@c1", "a1a2a3", "a1a2@c1@d1", "a1a2"]
    assert Sketch().listed(moves) == ["a1a2", "a1a2a3", "a1a2@c1@d1", "b1b2@c1", "pass"]


def test_an_illegal_move_has_its_first_reason() -> None:
    game = Sketch()
    start = history(game).position
    rows = {
        "hello": "bad-text at -", "pass": "bad-text at -", "a9": "off-board at -", "a1" * 1025: "too-long at -",
        "c1": "empty-square at c1", "a3": "not-your-piece at a3", "xa1": "no-removal at a1", "a1": "incomplete at -",
        "a1b1": "landing-occupied at b1", "a1c1": "no-such-line at c1", "a1a2a3b3": "turn-ended at b3",
        "a1@c1": "incomplete at -", "a1a2@b2": "drop-not-allowed at b2", "b1b2": "drop-missing at b2",
        "b1b2@c1@d1": "drop-not-allowed at d1",
    }
    for text, reason in rows.items():
        with pytest.raises(Illegal) as illegal:
            enter(game, start, False, text).finish()
        assert str(illegal.value).startswith(reason + ":"), text
    with pytest.raises(Illegal, match="game-over"):
        enter(game, start, True, "a1a2")


def test_a_game_can_give_its_own_reason() -> None:
    class Explained(Sketch):
        def explain(self, position: Position, entered: List[str], token: str) -> Optional[Illegal]:
            return Illegal("too-cold", token, "it is too cold there") if entered == ["a1"] else None

    with pytest.raises(Illegal, match="too-cold at d3: it is too cold there"):
        enter(Explained(), history(Sketch()).position, False, "a1d3")


def test_effects_are_the_differences_of_the_boards() -> None:
    game = Sketch()
    rows = [
        ("mm2/4/MM2", "a1a2", "from a1 to a2"),
        ("mm2/4/MM2", "a1a3", "captured a3 from a1 to a3"),
        ("mm2/4/MM2", "b1b2@c1", "from b1 to b2 dropped c1=M"),
        ("mm2/4/MM2", "xb1", "removed b1"),
        ("mm2/4/MM2", "pass", ""),
    ]
    for board, move, effects in rows:
        position = texts.read_position(game, f"{board} 1 - 0 0")
        assert " ".join(board_changes(game, position, move)) == effects, move


def test_a_position_text_is_read_as_it_is_written() -> None:
    game = Sketch()
    for text in ("mm2/4/MM2 1 - 0 0", "4/K~xmM/4 2 - 17 1000000", "3K~/x3/4 1 - 0 3"):
        assert texts.position_text(game, texts.read_position(game, text)) == text
    rows = [
        ("mm2/4/M2 1 - 0 0", "board", 7), ("mm2/4 1 - 0 0", "board", 6), ("mm2/4/MM2/4 1 - 0 0", "board", 11),
        ("mm11/4/MM2 1 - 0 0", "board", 1), ("mm02/4/MM2 1 - 0 0", "board", 1), ("mm2/4/QM2 1 - 0 0", "board", 7),
        ("K3/4/4 1 - 0 0", "board", 1), ("mm2/4/MM2", "side", 10), ("mm2/4/MM2 3 - 0 0", "side", 11),
        ("mm2/4/MM2 1 x 0 0", "extra", 13), ("mm2/4/MM2 1 - 01 0", "quiet", 15), ("mm2/4/MM2 1 - 0", "ply", 16),
        ("mm2/4/MM2 1 - 0 1000001", "ply", 17), ("mm2/4/MM2 1 - 0 0 0", "ply", 19),
    ]
    for text, field, column in rows:
        with pytest.raises(Exception, match=f"^{field}, column {column}:"):
            texts.read_position(game, text)


def test_a_hole_has_no_index_and_no_piece() -> None:
    class Holed(Sketch):
        holes = ("d3",)

    assert Holed().step("c3", 1, 0) == "" == Holed().step("a1", -1, 0) and Holed().step("c3", 0, -1) == "c2"
    with pytest.raises(Exception, match="the board lacks"):
        texts.read_position(Holed(), "3M/4/4 1 - 0 0")


def test_games_end_by_status_by_moves_by_limits_and_by_repetition() -> None:
    class Ends(Sketch):
        given = ()
        quiet_limit, max_plies = 5, 9

    class Decided(Ends):
        def status(self, position: Position) -> Ending:
            return Ending("draw", "count")

    class Shuffles(Ends):
        given = ("a1a1",)

        def play(self, position: Position, move: str) -> Position:
            return position.after(position.board)

    rows = [(Decided, 0, 0, "draw count"), (Ends, 0, 0, "p2win no-moves"), (Shuffles, 5, 9, "draw quiet-limit"),
            (Shuffles, 0, 9, "draw max-plies"), (Shuffles, 0, 0, "none none")]
    for game, quiet, ply, ending in rows:
        assert " ".join(history(game(), f"mm2/4/MM2 1 - {quiet} {ply}").ending()) == ending
    repeated = history(Shuffles()).played(["a1a1"] * 4)
    assert (repeated.occurrences(), *repeated.ending()) == (3, "draw", "repetition")
    assert repeated.legal() == [] and repeated.game.moves(repeated.position) == ["a1a1"]


def test_rule_options_make_another_game() -> None:
    class Configured(Sketch):
        def configure(self) -> None:
            self.twice = self.settings["SketchTwice"] == "true"

    game = Configured()
    other = game.with_settings({**game.settings, "SketchTwice": "true"})
    assert (game.twice, other.twice) == (False, True)
    assert list(game.rule_options()) == ["MaxPlies", "SketchTwice"]


def test_a_description_that_contradicts_the_standard_is_refused() -> None:
    rows = [({"name": "My Game"}, "name"), ({"files": 27}, "files"), ({"kind": "cube"}, "kind"),
            ({"pieces": {"MM": ("man", 1)}}, "pieces"), ({"start": "8/8"}, "start")]
    for changes, word in rows:
        with pytest.raises(ValueError, match=word):
            serve(type("Wrong", (Sketch,), changes)())


def test_strength_leaves_moves_to_chance() -> None:
    assert not any(plays_at_random(100) for _ in range(100))
    assert all(plays_at_random(-20) for _ in range(100))


@pytest.fixture
def faulty(tmp_path: pathlib.Path) -> Iterator[Engine]:
    """An engine whose game fails after the move `a1`."""
    path = tmp_path / "faulty.py"
    path.write_text(
        "from leapclient.serve import Game, serve\n"
        "class Faulty(Game):\n"
        "    name, pieces, start = 'faulty', {'M': ('man', 1), 'm': ('man', 2)}, '8/8/8/8/8/8/8/8'\n"
        "    def legal_moves(self, position):\n"
        "        return [square for square in ('a1', 'b1', 'c1') if square not in position.board]\n"
        "    def play(self, position, move):\n"
        "        assert move != 'a1', 'broken'\n"
        "        return position.after({**position.board, move: 'M'})\n"
        "serve(Faulty())\n", encoding="utf-8")
    with Engine.popen([sys.executable, str(path)]) as engine:
        yield engine


def test_a_fault_of_the_game_is_an_error_and_the_session_goes_on(faulty: Engine) -> None:
    with pytest.raises(Refused, match="internal"):
        faulty.move("a1")
    assert faulty.moves().moves == ("a1", "b1", "c1") and faulty.history() == []
    for command in ("query rules", "draw offer", "eval"):
        with pytest.raises(Refused, match="not-in-this-game"):
            faulty.command(command)


def test_a_side_that_moves_twice_wins_for_itself() -> None:
    class Twice(Sketch):
        given = ("a1a2", "a2a3")

        def legal_moves(self, position: Position) -> List[str]:
            return [move for move in self.given if squares(move)[0] in position.board]

        def play(self, position: Position, move: str) -> Position:
            origin, to = squares(move)
            return position.after({to: position.board[origin]}, side=1)

        def status(self, position: Position) -> Optional[str]:
            return "p1win" if "a3" in position.board else None

    start = history(Twice(), "4/4/M3 1 - 0 0")
    search = Search(start.game, start.positions, Event(), None, None)
    depths = dict(search.iterate(start.legal(), 2))
    assert depths[2] == [Line(WIN - 2, ["a1a2", "a2a3"])]


def test_a_game_takes_sixty_lines() -> None:
    for name in ("connect_four", "othello"):
        assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 60
