import json
import pathlib
import sys
from fractions import Fraction
from typing import Any, Dict, List, Optional

import pytest

from leapclient import (
    Engine, Exact, IllegalMove, Info, Legality, Limit, NextToken, Option, ProtocolError, Refused, Score, protocol)


def hostile(rules: Dict[str, Any]) -> List[str]:
    """The command of an engine that answers as told."""
    return [sys.executable, str(pathlib.Path(__file__).with_name("hostile_engine.py")), json.dumps(rules)]


def test_an_illegal_move_has_its_reason_and_square() -> None:
    error = protocol.error("error illegal-move index 2 move b2b3 reason empty-square at b2 : no piece")
    assert isinstance(error, IllegalMove)
    assert (error.code, error.move, error.reason, error.square) == ("illegal-move", "b2b3", "empty-square", "b2")


def test_an_option_name_may_have_blanks() -> None:
    assert protocol.option("option name Clear Hash type button").name == "Clear Hash"
    assert protocol.option("option name A type combo default x var x var y").var == ("x", "y")


@pytest.mark.parametrize("line, expected", [
    ("name max depth type spin default 3 min 1 max 9", Option("max depth", "spin", "3", 1, 9)),
    ("name default var min type check default true", Option("default var min", "check", "true")),
    ("name Use default book type check default false", Option("Use default book", "check", "false")),
    ("name Use default book type button", Option("Use default book", "button")),
    ("name Engine type type combo default a var a var b", Option("Engine type", "combo", "a", var=("a", "b"))),
    ("name type type spin default 0 min -1 max 1", Option("type", "spin", "0", -1, 1)),
    ("name Note type string default from min 1 to max 9 type spin",
     Option("Note", "string", "from min 1 to max 9 type spin")),
    ("name Path type string default C:\\My  Files\\var x", Option("Path", "string", "C:\\My  Files\\var x")),
    ("name Path type string default default", Option("Path", "string", "default")),
    ("name Path type string default <empty>", Option("Path", "string", "")),
    ("name Path type string default", Option("Path", "string", "")),
    ("name Path type string", Option("Path", "string")),
    ("name Book type file default my min book", Option("Book", "file", "my min book")),
    ("name Style type combo default very solid var very solid var at min risk var use default",
     Option("Style", "combo", "very solid", var=("very solid", "at min risk", "use default"))),
    ("name Clear  Hash \t type\tbutton ", Option("Clear Hash", "button")),
    ("name\tHash\ttype\tspin\tdefault\t1\tmin\t1\tmax\t2", Option("Hash", "spin", "1", 1, 2)),
])
def test_an_option_line_is_read_by_its_type(line: str, expected: Option) -> None:
    assert protocol.option("option " + line) == expected
    assert protocol.option("option \t " + line) == expected


BAD_OPTIONS = ["name Speed type spin default 0.5 min 0.1 max 1.0", "name X", "name type spin", "type spin name X", "",
               "name X type", "name Y type spin default 1 min one max 2"]


def test_an_option_line_that_cannot_be_read_is_skipped_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    lines = [f"print('option {line}')" for line in [*BAD_OPTIONS, "name Hash type spin default 1 min 1 max 2"]]
    engine = "\n".join(["for line in iter(input, 'x'):", *(f"  if line == 'ugi': {line}" for line in lines),
                        "  print({'ugi': 'ugiok', 'isready': 'readyok'}.get(line, ''), flush=True)"])
    with Engine.popen([sys.executable, "-c", engine]) as client:
        assert list(client.options) == ["Hash"]
    [record] = caplog.records
    assert record.name == "leapclient" and record.getMessage() == (
        f"skipped {len(BAD_OPTIONS)} option lines: expected a whole number, found '0.1'")
    for line in BAD_OPTIONS:
        with pytest.raises(ProtocolError):
            protocol.option("option " + line)


def test_any_blanks_separate_words() -> None:
    tabs = {
        "ugi": ["id\tname  \ta  b", " \tugiok\t "], "isready": ["\treadyok "], "query fen": ["response\t8/8  1\t- "],
        "query moves": ["response  2\ta1a2   b1b2"],
        "query board": ["board\tfiles 3\tranks  3 kind squares", "boardok\t"],
        "query legal": ["response\tfalse  blocked at\ta1  :  a  man"], "query effects": ["error\tbusy\t:  wait"],
        "query rules": ["rules\tlanguage  en of\ten", "rules title\tA  game", "rulesok"], "draw": ["draw\taccept"],
        "go": ["info\tdepth  2\tscore\tcp  4 pv\ta1a2", "info\tstring\thello", "bestmove\ta1a2  ponder\tb1b2"]}
    with Engine.popen(hostile(tabs)) as engine:
        assert engine.id["name"] == "a b" and engine.fen() == "8/8 1 -" and engine.moves().moves == ("a1a2", "b1b2")
        assert engine.board().files == 3 and engine.draw_offer() and engine.rules().title == "A game"
        assert engine.legal("a1") == Legality(False, "blocked", "a1", "a man")
        with pytest.raises(Refused, match="busy: wait"):
            engine.effects("a1a2")
        best = engine.play(Limit(depth=2))
        assert (best.move, best.ponder, best.info.pv, best.info.depth) == ("a1a2", "b1b2", ("a1a2",), 2)


@pytest.mark.parametrize("words, move, ponder", [
    ("a1a2", "a1a2", None), ("a1a2 ponder", "a1a2", None), ("a1a2 ponder b1b2", "a1a2", "b1b2"),
    ("a1a2 eval 3.2", "a1a2", None), ("a1a2 eval 3.2 ponder b1b2 id 7", "a1a2", "b1b2"), ("none", None, None),
    ("a1a2 fast ponder b1b2", "a1a2", "b1b2"), ("ponder ponder ponder", "ponder", "ponder")])
def test_words_after_the_move_are_skipped(words: str, move: Optional[str], ponder: Optional[str]) -> None:
    best = protocol.bestmove("bestmove " + words, Info())
    assert (best.move, best.ponder) == (move, ponder)


def test_a_bound_does_not_replace_a_score() -> None:
    lines = ["info depth 3 score cp 300 pv a1a2", "info depth 4 score cp 0 upperbound pv b1b2", "bestmove a1a2"]
    with Engine.popen(hostile({"go": lines})) as engine:
        assert engine.play(Limit(depth=4)).info.score == Score(cp=300)
        assert [info.score for info in engine.analyse(Limit(depth=4))] == [Score(cp=300)]
    bound, more = protocol.info(lines[1]), protocol.info("info depth 5 score cp 9 lowerbound")
    assert protocol.better(None, bound) is bound and protocol.better(bound, more) is more


@pytest.mark.parametrize("values", [
    {"p1_inc": 1}, {"p2_inc": 1.5}, {"moves_to_go": 5}, {"moves_to_go": 0},
    {"p1_inc": 1, "p2_inc": 1, "moves_to_go": 5}, {"p1_inc": 1, "search_moves": ("a1a2",)}, {"time": -1},
    {"time": float("nan")}, {"time": float("inf")}, {"time": True}, {"time": "1"},
    {"depth": -1}, {"depth": 2.0}, {"depth": True}, {"depth": "3"}, {"depth": 1 << 32}, {"nodes": -1},
    {"nodes": 1 << 64}, {"nodes": float("nan")}, {"mate": -2}, {"mate": False}, {"p1_clock": float("nan")},
    {"p2_clock": float("-inf")}, {"p1_clock": 1, "p1_inc": float("nan")}, {"p1_clock": 1, "moves_to_go": -1},
    {"p1_clock": 1e300}, {"depth": 1, "search_moves": "a1a2"}, {"time": 1j}, {"time": []}])
def test_a_limit_that_is_none_is_refused(values: Dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="^expected "):
        Limit(**values)


@pytest.mark.parametrize("limit, line", [
    (Limit(), "go infinite"), (Limit(search_moves=("a1a2",)), "go infinite searchmoves a1a2"),
    (Limit(time=0), "go movetime 0"),
    (Limit(p1_clock=-0.5, p2_clock=60), "go p1time -500 p2time 60000"), (Limit(time=Fraction(1, 4)), "go movetime 250"),
    (Limit(p1_clock=60, p1_inc=1, moves_to_go=5), "go p1time 60000 p1inc 1000 movestogo 5"),
    (Limit(depth=3, p1_inc=1), "go p1inc 1000 depth 3"), (Limit(nodes=(1 << 64) - 1), f"go nodes {(1 << 64) - 1}")])
def test_a_limit_is_written_as_a_go_line(limit: Limit, line: str) -> None:
    assert limit.go() == line and limit.is_infinite == line.startswith("go infinite")


def test_info_keeps_bounds_and_skips_unknown_keys() -> None:
    info = protocol.info("info id 7 depth 3 score mate -2 upperbound tbhits 4 time 1500 pv a1a2 b1b2")
    assert (info.depth, info.tbhits, info.time, info.pv) == (3, 4, 1.5, ("a1a2", "b1b2"))
    assert info.score == Score(mate=-2, bound="upperbound")


@pytest.mark.parametrize("protocol_line, expected", [
    ("response leap 2.0 fen", [(1, 1), (1, 2), (2, 3), (-1, -1), (-2, -4)]),
    ("response leap 1.0 fen", [(1, None), (2, None), (3, None), (-1, None), (-4, None)]),
    ("error bad-argument : unknown query", [(1, 1), (1, 2), (2, 3), (-1, -1), (-2, -4)]),
    ("", [(1, 1), (1, 2), (2, 3), (-1, -1), (-2, -4)])])
def test_mate_counts_moves_whatever_the_engine_counts(protocol_line: str, expected: Any) -> None:
    rules = {"query protocol": [protocol_line], "go": [f"info depth 1 score mate {n}" for n in (1, 2, 3, -1, -4)]}
    rules["go"].append("bestmove a1a2")
    with Engine.popen(hostile(rules)) as engine, engine.analysis(Limit(depth=1)) as analysis:
        assert [(info.score.mate, info.score.mate_plies) for info in analysis if info.score] == expected


def test_the_result_of_a_search_has_its_sums() -> None:
    lines = ["info depth 2 score cp 7 nodes 5 time 10", "info nodes 90 nps 1000 time 90", "bestmove a1a2"]
    with Engine.popen(hostile({"go": lines})) as engine:
        info = engine.play(Limit(depth=2)).info
        assert (info.depth, info.score, info.nodes, info.nps, info.time) == (2, Score(cp=7), 90, 1000, 0.09)


def test_a_broken_status_is_a_protocol_error() -> None:
    with pytest.raises(ProtocolError):
        protocol.status("over true")


def test_a_turn_has_what_may_follow_and_what_it_does() -> None:
    turn = protocol.turn("entered a1c3 awaits step,drop drops 1 next 2 step e5=step,end drop @b2=end "
                         "effects 3 from a1 to c3 captured b2 unfinished drop-missing at c3")
    assert (turn.entered, turn.refused, turn.awaits, turn.drops) == ("a1c3", None, ("step", "drop"), 1)
    assert turn.next == (NextToken("step", "e5", ("step", "end")), NextToken("drop", "@b2", ("end",)))
    assert [next.completes for next in turn.next] == [False, True]
    assert turn.steps == (("from", "a1"), ("to", "c3"), ("captured", "b2"))
    assert (turn.move, turn.unfinished) == (None, "drop-missing")


def test_a_turn_says_what_is_refused() -> None:
    turn = protocol.turn("entered - refused blocked at a1 awaits first drops 0 next 0 effects 0 "
                         "unfinished incomplete at - : a1: another piece is in the way")
    assert turn.entered == "" and turn.refused == Legality(False, "blocked", "a1", "a1: another piece is in the way")
    ended = protocol.turn("entered a1b1 awaits end drops 0 next 0 effects 0 end a1b1 points 3 ply 7")
    assert (ended.move, ended.ending, ended.unfinished) == ("a1b1", (("points", "3"), ("ply", "7")), None)
    for broken in ["", "entered a1", "entered - awaits first drops 0 next 9 effects 0 unfinished blocked at a1"]:
        with pytest.raises(ProtocolError):
            protocol.turn(broken)


def test_a_problem_has_its_position_its_right_moves_and_its_task() -> None:
    line = 'problems 5m2/8/1m2M3/mm 1 - 0 393 bm e6e7 e6e8; c0 "win; in 5 plies"; id "eximo.1"; xx new;'
    [found] = protocol.problems([line, "problems"])
    assert (found.fen, found.best) == ("5m2/8/1m2M3/mm 1 - 0 393", ("e6e7", "e6e8"))
    assert (found.task, found.id, found.operations["xx"]) == ("win; in 5 plies", "eximo.1", "new")
    for broken in ["problems bm a1;", "problems 8 1 - 0 0 bm a1; id x;", "problems 8 1 - 0 0"]:
        with pytest.raises(ProtocolError):
            protocol.problems([broken])


def test_values_are_those_of_the_position_and_of_its_moves() -> None:
    found = protocol.values("win 3 reach 7 moves 2 a1b2 win 3 a1a2 draw -")
    assert (found.position, found.reach, found.complete) == (Exact("win", 3), 7, True)
    assert found.moves == {"a1b2": Exact("win", 3), "a1a2": Exact("draw", None)}
    unknown = protocol.values("unknown - reach 0 moves 0")
    assert (unknown.position, unknown.reach, unknown.moves) == (Exact("unknown", None), 0, {})
    assert not protocol.values("loss 2 reach 7 moves 1+ a1b2 loss 2").complete
    for broken in ["", "win", "win 3 reach 7", "win 3 reach 7 moves", "won 3 reach 7 moves 0",
                   "win three reach 7 moves 0", "win 3 reach 7 moves 2 a1b2 win 3",
                   "win 3 reach 7 moves 1 a1b2 win", "win 3 reach -1 moves 0",
                   "win 3 range 7 moves 0", "win 3 reach 7 8 moves 0"]:
        with pytest.raises(ProtocolError):
            protocol.values(broken)


def test_rules_have_their_examples_and_values() -> None:
    rules = protocol.rules([
        "rules language en of en es",
        "rules title Runner",
        "rules clause Aim : Reach the last square.",
        "rules example fen r7 1 - 0 0 move a1b1 effects from a1 to b1 : One square.",
        "rules example fen 7r 1 - 0 9 : The end.",
        "rules prompt first : choose the runner",
        "rules option Laps : Number of laps : How often it goes round.",
        "rules value Laps two : two of them",
        "rules word men : runners",
        "rules weather fine : a line of a later version",
    ])
    assert (rules.language, rules.languages, rules.title) == ("en", ("en", "es"), "Runner")
    moved, ended = rules.clauses[0].examples
    assert (moved.fen, moved.move, moved.steps) == ("r7 1 - 0 0", "a1b1", (("from", "a1"), ("to", "b1")))
    assert (ended.fen, ended.move, ended.caption) == ("7r 1 - 0 9", None, "The end.")
    assert rules.prompts == {"first": "choose the runner"} and rules.words == {"men": "runners"}
    assert rules.options["Laps"].label == "Number of laps" and rules.options["Laps"].values == {"two": "two of them"}
    with pytest.raises(ProtocolError):
        protocol.rules([])
