import pytest

from leapclient import Exact, IllegalMove, Legality, NextToken, ProtocolError, Score, protocol


def test_an_illegal_move_has_its_reason_and_square() -> None:
    error = protocol.error("error illegal-move index 2 move b2b3 reason empty-square at b2 : no piece")
    assert isinstance(error, IllegalMove)
    assert (error.code, error.move, error.reason, error.square) == ("illegal-move", "b2b3", "empty-square", "b2")


def test_an_option_name_may_have_blanks() -> None:
    assert protocol.option("option name Clear Hash type button").name == "Clear Hash"
    assert protocol.option("option name A type combo default x var x var y").var == ("x", "y")


def test_info_keeps_bounds_and_skips_unknown_keys() -> None:
    info = protocol.info("info id 7 depth 3 score mate -2 upperbound tbhits 4 time 1500 pv a1a2 b1b2")
    assert (info.depth, info.tbhits, info.time, info.pv) == (3, 4, 1.5, ("a1a2", "b1b2"))
    assert info.score == Score(mate=-2, bound="upperbound")


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
    for broken in ["", "win", "win 3 reach 7", "win 3 reach 7 moves", "won 3 reach 7 moves 0", "win three reach 7 moves 0",
                   "win 3 reach 7 moves 2 a1b2 win 3", "win 3 reach 7 moves 1 a1b2 win", "win 3 reach -1 moves 0",
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
