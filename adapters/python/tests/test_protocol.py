import pytest

from leapclient import IllegalMove, ProtocolError, Score, protocol


def test_an_illegal_move_has_its_reason_and_square() -> None:
    error = protocol.error("error illegal-move index 2 move b2b3 reason empty-square at b2 : no piece")
    assert isinstance(error, IllegalMove)
    assert (error.code, error.move, error.reason, error.square) == ("illegal-move", "b2b3", "empty-square", "b2")


def test_an_option_name_may_have_blanks() -> None:
    assert protocol.option("option name Clear Hash type button").name == "Clear Hash"
    assert protocol.option("option name A type combo default x var x var y").var == ("x", "y")


def test_info_keeps_bounds_and_skips_unknown_keys() -> None:
    info = protocol.info("info id 7 depth 3 score mate -2 upperbound time 1500 pv a1a2 b1b2")
    assert (info.depth, info.time, info.pv) == (3, 1.5, ("a1a2", "b1b2"))
    assert info.score == Score(mate=-2, bound="upperbound")


def test_a_broken_status_is_a_protocol_error() -> None:
    with pytest.raises(ProtocolError):
        protocol.status("over true")
