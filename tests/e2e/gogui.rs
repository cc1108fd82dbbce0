//! `leap gogui`, used like GoGui does: with a program that plays and a ruler that knows the rules. Each is a process of
//! its own. The ruler receives the whole game again at every step.

mod client;

use leap_client::{EngineCommand, PositionCommand, Session};
use leap_games::IDS;

use crate::programs::{LEAPD, kill_engines_of, tables};
use client::{Gogui, Gtp};

/// leapd's own view of the game after these moves.
fn verdict(game: &str, options: &[&str], moves: &str) -> String {
    let patience = std::time::Duration::from_secs(10);
    let mut engine = Session::start(&EngineCommand::new(LEAPD.as_str()), patience).unwrap();
    for option in [&format!("Game={game}")[..]].iter().chain(options) {
        let (name, value) = option.split_once('=').unwrap();
        engine.set(name, value).unwrap();
    }
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    engine.set_up(&PositionCommand::new(None, &moves)).unwrap();
    engine.ask(leap_protocol::Query::Result).unwrap()
}

#[test]
fn the_program_plays_each_game_to_its_end_and_the_ruler_follows() {
    for game in &IDS {
        let options = ["MaxPlies=60"];
        let mut gogui = Gogui::attach(game, &["--depth", "2", "--option", options[0]]);
        while gogui.generate() {}
        let result = gogui.ruler.ask("gogui-rules_final_result");
        let sentence = result.starts_with("Black wins: ")
            || result.starts_with("White wins: ")
            || result.starts_with("Draw: ");
        assert!(sentence && result.ends_with('.'), "{game}: {result}");
        for word in ["no-moves", "quiet-limit", "max-plies", "in the rules"] {
            assert!(!result.contains(word), "{game}: {result}");
        }
        let listed = gogui.program.ask("leap-moves");
        assert_eq!(listed, gogui.ruler.ask("leap-moves"));
        assert_eq!(gogui.program.ask("leap-position"), gogui.ruler.ask("leap-position"));
        let moves: Vec<_> = listed.lines().map(|line| line.split_once(". ").unwrap().1).collect();
        let expected = match verdict(game, &options, &moves.join(" ")).as_str() {
            "p1win" => "B+1",
            "p2win" => "W+1",
            "draw" => "0",
            other => panic!("{game}: {other}"),
        };
        assert_eq!(gogui.ruler.ask("final_score"), expected, "{game}");
        let over = gogui.program.try_ask("genmove b").unwrap_err();
        assert!(over.contains("the game is over"), "{over}");
    }
}

#[test]
fn a_persons_turn_goes_vertex_by_vertex_and_can_be_taken_back() {
    let mut gogui = Gogui::attach("sapos", &["--depth", "1"]);
    let ruler = &mut gogui.ruler;
    assert_eq!(ruler.ask("gogui-rules_legal_moves"), "D2 E2 D3 E3");
    ruler.ask("play b D2");
    assert_eq!(ruler.ask("gogui-rules_legal_moves"), "F2 D4");
    ruler.ask("play b D4");
    // The jumping frog is shown on its new square, and the drop is still due.
    assert!(ruler.ask("gogui-rules_board").starts_with(". . . . . . . .\n. . . O O"));
    assert_eq!(ruler.ask("gogui-rules_side_to_move"), "black");
    assert!(ruler.ask("gogui-rules_board_gfx").contains("SQUARE D4"));
    ruler.ask("undo");
    assert_eq!(ruler.ask("gogui-rules_legal_moves"), "F2 D4");
    ruler.ask("play b D4");
    ruler.ask("play b D5");
    assert_eq!(ruler.ask("leap-moves"), "1. d2d4@d5");
    assert_eq!(ruler.ask("gogui-rules_side_to_move"), "white");
    // In Sapos the second player starts with two turns.
    ruler.ask("gogui-play_sequence w D7 w F7 w F8");
    assert_eq!(ruler.ask("leap-moves"), "1. d2d4@d5\n2. d7f7@f8");
    assert_eq!(ruler.ask("gogui-rules_side_to_move"), "white");
    assert_eq!(ruler.try_ask("gg-undo 7").unwrap_err(), "cannot undo");
    ruler.ask("gg-undo 6");
    assert_eq!(ruler.try_ask("undo").unwrap_err(), "cannot undo");
}

#[test]
fn a_man_that_has_crossed_is_gone_and_its_drops_are_due() {
    let fen = "8/2M5/8/8/8/8/4m3/8 1 - 0 0";
    let mut gtp = Gtp::start(&["--game", "eximo", "--fen", fen]);
    gtp.ask("gogui-play_sequence b C7 b C8");
    assert!(!gtp.ask("gogui-rules_board").contains('X'));
    assert!(
        gtp.ask("gogui-rules_board_gfx")
            .contains("TEXT Black: drop a man on a marked square of your first two rows: 1 of 2")
    );
    let why = gtp.try_ask("play b C5").unwrap_err();
    let prompt = "drop a man on a marked square of your first two rows: 1 of 2";
    let reason = "C5: the square is outside the mover's drop zone";
    assert_eq!(why, format!("illegal move: {reason}; black: {prompt}"));
    gtp.ask("gogui-play_sequence b C2 b B2");
    assert_eq!(gtp.ask("leap-moves"), "1. c7c8@b2@c2");
}

#[test]
fn what_is_refused_is_said_with_the_square_and_why_and_the_prompt_stays() {
    let mut gtp = Gtp::start(&["--game", "froglet"]);
    let shown = |gtp: &mut Gtp| gtp.ask("gogui-rules_board_gfx").lines().last().unwrap().to_owned();
    let prompt = "Black: take a marked green frog off the board; frogs 144; points 0 : 0.";
    assert_eq!(shown(&mut gtp), format!("TEXT {prompt}"));
    let reason = "on a full board the move is to take away a green frog";
    let why = gtp.try_ask("play b J9").unwrap_err();
    // GoGui has no column I, the engine has.
    let awaited = "black: take a marked green frog off the board";
    assert_eq!(why, format!("illegal move: J9: {reason}; {awaited}"));
    assert_eq!(shown(&mut gtp), format!("TEXT Illegal move: J9: {reason}. {prompt}"));
    // GoGui refuses a click on its own, without a reason: it can be asked for.
    let listed = gtp.ask("gogui-analyze_commands");
    assert!(listed.contains("gfx/Why not there/leap-why %p\n"), "{listed}");
    let asked = gtp.ask("leap-why J9");
    assert_eq!(asked.lines().last().unwrap(), format!("TEXT J9: {reason}. {prompt}"));
    let first = gtp.ask("gogui-rules_legal_moves").split(' ').next().unwrap().to_owned();
    let asked = gtp.ask(&format!("leap-why {first}"));
    assert!(asked.ends_with(&format!("TEXT {first} can be played now. {prompt}")), "{asked}");
    assert!(gtp.ask("leap-why pass").contains("TEXT There is no passing in this game: "));
    assert!(gtp.try_ask("leap-why").unwrap_err().contains("found nothing"));
    gtp.ask(&format!("play b {first}"));
    assert!(shown(&mut gtp).starts_with("TEXT White: choose a frog"), "{}", shown(&mut gtp));
}

#[test]
fn exact_values_are_told_where_they_are_known() {
    let tables = tables(4);
    let option = format!("TablePath={}", tables.path().display());
    let fen = "5/5/1M3/1mm2/1M3 1 - 0 0";
    let mut gtp = Gtp::start(&["--game", "alquerque", "--option", &option, "--fen", fen]);
    assert!(gtp.ask("gogui-analyze_commands").contains("hstring/Exact values/leap-value\n"));
    let told = gtp.ask("leap-value");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "black wins, capture or end in 7 plies",
            "b1c1: black wins, capture or end in 7 plies",
            "b3a3: draw by count",
            "b3b4: draw by count",
            "b1a1: white wins, capture or end in 2 plies",
            "b3c3: white wins, capture or end in 2 plies",
        ]
    );
    assert_eq!(Gtp::start(&["--game", "eximo"]).ask("leap-value"), "not known exactly");
}

#[test]
fn the_second_of_two_turns_is_announced() {
    let mut gtp = Gtp::start(&["--game", "sapos"]);
    gtp.ask("gogui-play_sequence b D2 b D4 b D5");
    assert!(gtp.ask("gogui-rules_board_gfx").contains("TEXT White: choose a frog"));
    gtp.ask("gogui-play_sequence w D7 w F7 w F8");
    assert!(gtp.ask("gogui-rules_board_gfx").contains("TEXT White moves again: choose a frog"));
    gtp.ask("undo");
    gtp.ask("play w F8");
    assert!(gtp.ask("gogui-rules_board_gfx").contains("TEXT White moves again: choose a frog"));
}

#[test]
fn passing_ends_a_capture_that_could_go_on() {
    let fen = "m4/5/1m3/5/1m1mM 1 - 0 0";
    let mut gtp = Gtp::start(&["--game", "alquerque", "--fen", fen, "--depth", "3"]);
    assert_eq!(gtp.ask("gogui-rules_legal_moves").split(' ').next(), Some("E1"));
    let why = gtp.try_ask("play b pass").unwrap_err();
    assert!(why.contains("no passing"), "{why}");
    gtp.ask("play b E1");
    gtp.ask("play b C1");
    let gfx = gtp.ask("gogui-rules_board_gfx");
    assert!(gfx.contains("MARK D1") && gfx.contains(", or end the turn here (pass)"), "{gfx}");
    assert!(gtp.ask("gogui-rules_legal_moves").ends_with(" pass"));
    gtp.ask("play b pass");
    assert_eq!(gtp.ask("leap-moves"), "1. e1c1");
    assert_eq!(gtp.ask("gogui-rules_side_to_move"), "white");
}

#[test]
fn the_engine_goes_on_with_a_turn_that_a_person_has_begun() {
    let mut gtp = Gtp::start(&["--game", "eximo", "--depth", "3"]);
    gtp.ask("play b C2");
    assert_eq!(gtp.ask("gogui-rules_side_to_move"), "black");
    let mut vertices = vec![];
    while gtp.ask("gogui-rules_side_to_move") == "black" {
        vertices.push(gtp.ask("genmove b"));
    }
    assert!(gtp.ask("leap-moves").starts_with("1. c2"), "{vertices:?}");
}

#[test]
fn a_mistake_is_refused_with_the_reason_and_changes_nothing() {
    let mut gtp = Gtp::start(&["--game", "froglet"]);
    let before = gtp.ask("leap-position");
    for (command, reason) in [
        ("play w C1", "it is the turn of black"),
        ("play b Z9", "the square is not on this board"),
        ("play b I3", "expected a vertex such as C3, or 'pass', found 'I3'"),
        ("play b", "expected a vertex such as C3, or 'pass' after 'play', found nothing"),
        ("play x C1", "expected a colour, 'b' or 'w', found 'x'"),
        ("boardsize 19", "unacceptable size"),
        ("genmove w", "it is the turn of black"),
        ("gogui-play_sequence b C1 w pass", "no passing"),
        ("leap-level speed 3", "expected movetime, depth or nodes, found 'speed'"),
        ("leap-save", "expected the name of a file"),
        ("leap-save /nowhere/at/all.ugr", "cannot write /nowhere/at/all.ugr"),
        ("fly", "unknown command"),
    ] {
        let error = gtp.try_ask(command).unwrap_err();
        assert!(error.contains(reason), "{command}: {error}");
        assert_eq!(gtp.ask("leap-position"), before, "{command}");
    }
}

#[test]
fn pieces_that_stones_cannot_show_are_drawn() {
    let mut froglet = Gtp::start(&["--game", "froglet"]);
    let gfx = froglet.ask("gogui-rules_board_gfx");
    for word in ["COLOR green ", "COLOR yellow ", "COLOR red ", "COLOR blue ", "LABEL A1 2 B1 3"] {
        assert!(gfx.contains(word), "{word} is not in {gfx}");
    }
    assert!(!froglet.ask("gogui-rules_board").contains(['X', 'O']));
    // There is no column I: the twelfth is M.
    assert!(gfx.contains(" M12 ") && !gfx.contains(" I1 "), "{gfx}");
    let mut tactica = Gtp::start(&["--game", "tactica"]);
    let gfx = tactica.ask("gogui-rules_board_gfx");
    assert!(gfx.contains("LABEL A1 C B1 H C1 S"), "{gfx}");
    assert!(tactica.ask("gogui-rules_board").ends_with("X X X X X X X X"));
}

#[test]
fn captures_are_counted_for_both_sides() {
    let fen = "m4/5/1m3/5/1m1mM 1 - 0 0";
    let mut gtp = Gtp::start(&["--game", "alquerque", "--fen", fen]);
    assert_eq!(gtp.ask("gogui-rules_captured_count"), "0 0");
    gtp.ask("gogui-play_sequence b E1 b C1");
    assert_eq!(gtp.ask("gogui-rules_captured_count"), "1 0", "during the turn");
    gtp.ask("play b A1");
    assert_eq!(gtp.ask("gogui-rules_captured_count"), "2 0");
    gtp.ask("undo");
    assert_eq!(gtp.ask("gogui-rules_captured_count"), "1 0");
}

#[test]
fn points_take_the_place_of_captures_where_the_game_counts_points() {
    let fen = "GGYGYGGRRYYG/YGGYYRGGRY1Y/GGRGRGGRYG1G/GRGGRY2G1Y1/RRY1G2G1Y2/Y2G3G3Y/RG1G6G1/GYG6G2/\
               RYG1R1G5/YGGGG1R4Y/GGYGGBB2RRY/YYGGYYGYGYRY 1 45-44 0 34";
    let mut gtp = Gtp::start(&["--game", "froglet", "--fen", fen]);
    assert_eq!(gtp.ask("gogui-rules_captured_count"), "45 44");
    let text = gtp.ask("gogui-rules_board_gfx").lines().last().unwrap().to_owned();
    assert!(text.starts_with("TEXT Black: choose a frog; "), "{text}");
    assert!(text.ends_with("points 45 : 44."), "{text}");
}

#[test]
fn a_hint_is_marked_on_the_board_and_plays_nothing() {
    let mut gtp = Gtp::start(&["--game", "sapos", "--depth", "2"]);
    let before = gtp.ask("leap-position");
    let hint = gtp.ask("leap-hint");
    let text = hint.lines().last().unwrap();
    // The text says whose view the score takes. It still says what is awaited.
    assert!(text.starts_with("TEXT Hint d2") || text.starts_with("TEXT Hint e2"), "{hint}");
    assert!(text.contains(" for black at depth 2. Black: choose a frog"), "{hint}");
    assert!(hint.contains("CIRCLE ") && hint.contains("TRIANGLE "), "{hint}");
    assert_eq!(gtp.ask("leap-position"), before);
    // During a turn only its rest is marked.
    gtp.ask("play b D2");
    assert!(!gtp.ask("leap-hint").contains("CIRCLE D2"));
    assert_eq!(gtp.ask("gogui-rules_legal_moves"), "F2 D4");
}

#[test]
fn rule_options_set_in_the_program_hold_for_the_ruler_too() {
    let fen = "5/5/1m3/5/3mM 1 - 0 0";
    let mut gogui = Gogui::attach("alquerque", &["--fen", fen, "--stall", "599999"]);
    let listed = gogui.program.ask("leap-options");
    let capture = "[list/optional/mandatory] Captures optional";
    assert!(listed.contains(capture) && listed.contains("[string] Longest_game 400"), "{listed}");
    assert_eq!(gogui.ruler.ask("gogui-rules_legal_moves"), "E1");
    gogui.ruler.ask("play b E1");
    assert!(gogui.ruler.ask("gogui-rules_legal_moves").contains("E2"));
    gogui.program.ask("leap-options Captures mandatory");
    assert!(gogui.program.ask("leap-options").contains("Captures mandatory"));
    assert_eq!(gogui.ruler.ask("gogui-rules_legal_moves"), "C1");
    gogui.program.ask("leap-options AlquerqueCapture optional");
    gogui.refresh();
    // A move that the other rule forbids keeps the option as it is.
    for gtp in [&mut gogui.program, &mut gogui.ruler] {
        gtp.ask("gogui-play_sequence b E1 b E2");
    }
    let why = gogui.program.try_ask("leap-options AlquerqueCapture mandatory").unwrap_err();
    assert!(why.contains("illegal-move") && why.contains("e1e2"), "{why}");
    assert!(gogui.program.ask("leap-options").contains(capture));
    assert_eq!(gogui.program.ask("leap-moves"), "1. e1e2");
    let unknown = gogui.program.try_ask("leap-options Hash 5").unwrap_err();
    assert!(unknown.contains("expected a rule option, found 'Hash'"), "{unknown}");
}

#[test]
fn the_rules_are_explained_with_diagrams_in_each_language() {
    for game in &IDS {
        let mut gtp = Gtp::start(&["--game", game]);
        let commands = gtp.ask("gogui-analyze_commands");
        assert!(commands.contains("hstring/How to play/leap-rules\n"), "{commands}");
        assert!(commands.contains("hstring/How to play (es)/leap-rules es\n"), "{commands}");
        let (english, spanish) = (gtp.ask("leap-rules"), gtp.ask("leap-rules es"));
        for text in [&english, &spanish] {
            assert!(text.contains("\n  1 ") && text.contains("\n    A  B  C "), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
        }
        assert!(english.contains("\nAim: ") && english != spanish, "{english}");
    }
    // GoGui's first player is black, whatever the rules say.
    let mut gtp = Gtp::start(&["--game", "sapos"]);
    let text = gtp.ask("leap-rules");
    let stones = "Here: black stones are the pieces of white, and the other way round.";
    assert_eq!(text.lines().nth(1), Some(stones));
}

#[test]
fn an_option_that_changes_the_start_is_set_between_games() {
    let args = ["--game", "froglet", "--stall", "599997"];
    let mut gtp = Gtp::start(&args);
    let before = gtp.ask("leap-position");
    gtp.ask("leap-options Filling_of_the_board 5");
    assert_ne!(gtp.ask("leap-position"), before);
    let first = gtp.ask("gogui-rules_legal_moves");
    gtp.ask(&format!("play b {}", first.split(' ').next().unwrap()));
    let begun = gtp.ask("leap-position");
    let why = gtp.try_ask("leap-options FrogletSeed 6").unwrap_err();
    assert!(why.contains("start a new game first"), "{why}");
    assert_eq!(gtp.ask("leap-position"), begun);
}

#[test]
fn an_option_that_was_set_survives_the_engine_and_stands_in_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.ugr");
    let mut gtp = Gtp::start(&["--game", "eximo", "--depth", "1", "--stall", "599998"]);
    gtp.ask("leap-options MaxPlies 7");
    gtp.ask("gogui-play_sequence b C2 b D3");
    kill_engines_of(gtp.child.id());
    gtp.try_ask("genmove w").unwrap_err();
    assert_eq!(gtp.ask("leap-options"), "[string] Longest_game 7");
    gtp.ask(&format!("leap-save {}", file.display()));
    let record = std::fs::read_to_string(file).unwrap();
    assert!(record.contains("[Option \"MaxPlies=7\"]"), "{record}");
}

#[test]
fn a_search_can_be_interrupted_and_what_was_said_meanwhile_is_answered_after_it() {
    let mut gtp = Gtp::start(&["--game", "sapos", "--movetime", "3600000"]);
    gtp.write("genmove b");
    gtp.write("gogui-rules_side_to_move");
    gtp.write("# interrupt");
    let vertex = gtp.read().unwrap();
    assert!(["D2", "E2", "D3", "E3"].contains(&&vertex[..]), "{vertex}");
    assert_eq!(gtp.read().unwrap(), "black");
}

#[test]
fn clocks_and_levels_bound_the_search() {
    let mut gtp = Gtp::start(&["--game", "eximo", "--movetime", "3600000"]);
    assert!(gtp.ask("leap-level").starts_with("[string] movetime 3600000"));
    gtp.ask("leap-level movetime 0");
    gtp.ask("leap-level depth 1");
    gtp.ask("genmove b");
    gtp.ask("clear_board");
    gtp.ask("leap-level depth 0");
    gtp.ask("leap-level movetime 3600000");
    gtp.ask("time_settings 2 0 0");
    gtp.ask("time_left b 1 0");
    gtp.ask("genmove b");
}

#[test]
fn a_game_is_saved_as_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a game.ugr");
    let mut gtp = Gtp::start(&["--game", "eximo", "--option", "MaxPlies=1"]);
    gtp.ask("gogui-play_sequence b C2 b D3");
    gtp.ask(&format!("leap-save \"{}\"", file.display()));
    let record = std::fs::read_to_string(file).unwrap();
    for part in [
        "[Game \"eximo\"]",
        "[Result \"draw\"]",
        "[Reason \"rules max-plies\"]",
        "[Option \"MaxPlies=1\"]",
        "\n\n1. c2d3 draw\n",
    ] {
        assert!(record.contains(part), "{part} is not in {record}");
    }
}

#[test]
fn an_engine_that_dies_is_started_again_with_the_same_game() {
    let mut gtp = Gtp::start(&["--game", "eximo", "--depth", "1"]);
    gtp.ask("gogui-play_sequence b C2 b D3");
    let position = gtp.ask("leap-position");
    kill_engines_of(gtp.child.id());
    let error = gtp.try_ask("genmove w").unwrap_err();
    assert!(error.contains("it has been started again"), "{error}");
    assert_eq!(gtp.ask("leap-position"), position);
    gtp.ask("genmove w");
}

#[test]
fn a_game_that_was_replayed_is_not_asked_of_the_engine_again() {
    let mut gtp = Gtp::start(&["--game", "alquerque"]);
    let plays = ["b B2", "b C3", "w B3", "w B2"];
    for play in plays {
        gtp.ask(&format!("play {play}"));
    }
    let position = gtp.ask("leap-position");
    // Without an engine, cached results can still be shown.
    kill_engines_of(gtp.child.id());
    gtp.ask("clear_board");
    for play in plays {
        gtp.ask(&format!("play {play}"));
        gtp.ask("gogui-rules_board");
        gtp.ask("gogui-rules_legal_moves");
    }
    assert_eq!(gtp.ask("leap-position"), position);
}
