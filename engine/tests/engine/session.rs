//! The order of answers (SPEC 7), without threads, clocks or pipes. `tests/transcripts/common` has what a client sees.

use leap_engine::session::Event;
use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::{Info, Reply};

use crate::harness::Harness;

impl Harness {
    /// Sends lines and returns what was written.
    fn send(&mut self, lines: &str) -> Vec<String> {
        for line in lines.lines() {
            self.say(line);
        }
        std::mem::take(&mut self.written)
    }

    /// Ends the job as if its search had run out of depth, without running it.
    fn finish_job(&mut self) -> Vec<String> {
        assert!(self.job.take().is_some());
        let reply = Reply::BestMove { mv: Some("b2c3".to_owned()), ponder: None, id: None };
        self.event(Event::Done(reply));
        std::mem::take(&mut self.written)
    }

    /// Lets the worker finish its job and returns what was written, `info` lines left out.
    fn run_job(&mut self) -> Vec<String> {
        assert!(self.job.is_some());
        self.work();
        self.written.retain(|line| !line.starts_with("info "));
        std::mem::take(&mut self.written)
    }
}

fn is_bestmove(lines: &[String]) -> bool {
    matches!(lines, [line] if line.starts_with("bestmove ") && line.split(' ').count() == 2)
}

#[test]
fn an_infinite_search_that_has_ended_waits_for_stop() {
    for go in ["go infinite depth 1", "go ponder infinite depth 1"] {
        let mut harness = Harness::new();
        harness.send(go);
        assert!(harness.finish_job().is_empty());
        assert_eq!(harness.send("isready"), ["readyok"]);
        assert!(harness.send("go depth 1")[0].starts_with("error busy "));
        assert!(harness.send("ponderhit").is_empty());
        assert!(is_bestmove(&harness.send("stop")));
        assert!(harness.send("stop").is_empty());
    }
}

#[test]
fn at_the_end_of_input_a_bounded_search_answers_and_an_unbounded_one_is_stopped() {
    for (go, is_stopped) in
        [("go depth 1", false), ("go nodes 5", false), ("go", true), ("go ponder depth 1", true)]
    {
        let mut harness = Harness::new();
        harness.send(go);
        harness.event(Event::EndOfInput);
        assert!(!harness.exited, "{go}");
        assert_eq!(harness.job.as_ref().unwrap().1.stop.is_raised(), is_stopped, "{go}");
        assert!(is_bestmove(&harness.run_job()), "{go}");
        assert!(harness.exited, "{go}");
    }
}

#[test]
fn quit_ends_a_search_as_stop_does_and_then_the_session() {
    for begin in ["go infinite", "go depth 50", "go ponder", "go infinite\nstop", "perft 30"] {
        let mut harness = Harness::new();
        assert!(harness.send(begin).is_empty());
        assert!(harness.send("quit\nisready\ngo depth 1\nquit").is_empty(), "{begin}");
        harness.event(Event::EndOfInput);
        assert!(!harness.exited, "{begin}: not before its answer");
        assert!(harness.job.as_ref().unwrap().1.stop.is_raised(), "{begin}");
        let answer = harness.run_job();
        let is_stopped_perft = answer[0].ends_with(" stopped true");
        assert!(is_stopped_perft || is_bestmove(&answer), "{begin}: {answer:?}");
        assert!(harness.exited, "{begin}");
    }
}

#[test]
fn quit_releases_a_search_that_has_ended() {
    let mut harness = Harness::new();
    harness.send("go infinite depth 1");
    assert!(harness.finish_job().is_empty());
    assert!(is_bestmove(&harness.send("quit")));
    assert!(harness.exited);
}

/// The last `info` of a search, and the line after it.
fn last_info(harness: &mut Harness, lines: &str) -> (Info, String) {
    harness.send(lines);
    harness.work();
    let mut written = std::mem::take(&mut harness.written);
    let last = written.pop().unwrap();
    let Reply::Info(info) = Reply::parse(&written.pop().unwrap()) else {
        panic!("expected an info before {last}")
    };
    (info, last)
}

#[test]
fn a_last_info_has_the_work_of_the_whole_search() {
    for (set, go) in [
        ("", "go depth 3"),
        ("", "go nodes 1"),
        ("", "go nodes 1234"),
        ("", "go depth 2 id a7"),
        ("setoption name MultiPV value 3", "go depth 2"),
        ("setoption name Strength value 5", "go movetime 1"),
        ("setoption name UCI_ShowWDL value true\nuci", "go depth 2 searchmoves b2c3"),
        ("setoption name MaxPlies value 1\nposition startpos moves b2c3", "go depth 1"),
    ] {
        let (info, last) = last_info(&mut Harness::new(), &format!("{set}\n{go}"));
        assert!(last.starts_with("bestmove "), "{go}: {last}");
        let Info { nodes: Some(nodes), nps: Some(_), time: Some(_), .. } = info else {
            panic!("{go}: {info}")
        };
        if let Some(most) = go.strip_prefix("go nodes ") {
            assert_eq!(nodes.to_string(), most, "all of them count");
        }
        assert_eq!(info.id.is_some(), go.contains(" id "), "{info}");
        if let Some(mv) = info.pv.first() {
            assert_eq!((info.multipv, last.split(' ').nth(1)), (Some(1), Some(&**mv)), "{go}");
            assert!(info.depth.is_some() && info.score.is_some(), "{go}: {info}");
        }
    }
}

#[test]
fn a_stopped_search_has_its_last_info_too() {
    let mut harness = Harness::new();
    harness.send("go infinite\nstop");
    let (info, last) = last_info(&mut harness, "isready");
    assert!(info.nodes.is_some() && last.starts_with("bestmove "), "{info} {last}");
}

/// A win in five plies, and the other side's view after the first of them.
const WIN: &str = "position fen 5m2/8/1m2M3/8/M7/M7/8/1MM5 1 - 0 393";

#[test]
fn mate_counts_plies_in_ugi_and_moves_in_uci() {
    let told = |dialect: &str, position: &str| {
        let mut harness = Harness::new();
        let setup = format!("{dialect}\nsetoption name Game value eximo\n{position}\ngo mate 3");
        last_info(&mut harness, &setup).0.score.unwrap().0.to_string()
    };
    assert_eq!(["ugi", "uci"].map(|dialect| told(dialect, WIN)), ["mate 5", "mate 3"]);
    let lost = format!("{WIN} moves e6e7");
    assert_eq!(["ugi", "uci"].map(|dialect| told(dialect, &lost)), ["mate -4", "mate -2"]);
}

#[test]
fn d_shows_the_position_of_every_game_also_during_a_search() {
    for game in leap_games::IDS {
        let mut harness = Harness::new();
        let fen = harness.send(&format!("setoption name Game value {game}\nquery fen"));
        let lines = harness.send("go infinite\nd");
        let fen = fen[0].strip_prefix("response ").unwrap();
        let [ranks @ .., files, text, status] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(ranks.len(), fen.split('/').count(), "{game}");
        assert!(files.trim_start().starts_with("a "), "{files:?}");
        assert_eq!(*text, format!("fen {fen}"));
        assert!(status.starts_with("status over false "), "{status}");
        let squares = |line: &String| line.split_whitespace().skip(1).count();
        assert!(ranks.iter().all(|rank| squares(rank) == files.split_whitespace().count()));
    }
}

#[test]
fn an_illegal_move_names_itself_and_changes_nothing() {
    let mut harness = Harness::new();
    harness.send("position startpos moves b2c3");
    let before = harness.send("query fen");
    let replies = harness.send("position startpos moves b2c3 d4b2 b1c3");
    assert!(replies[0].starts_with("error illegal-move index 3 move b1c3 reason "), "{replies:?}");
    assert!(harness.send("move b4c4 a5")[0].starts_with("error illegal-move index "));
    assert_eq!(harness.send("query fen"), before);
}

#[test]
fn no_reply_is_longer_than_a_line_may_be() {
    let mut harness = Harness::new();
    harness.send("setoption name Game value froglet");
    // More moves than can be counted, most of them long.
    let position = "GGGGGGGGGGGG/G1G1G1G1G1GG/GGGGGGGGGGGG/G1G1G1G1G1GG/GGGGGGGGGGGG/G1G1G1G1G1GG/\
                    GGGGGGGGGGGG/G1G1G1G1G1GG/GGGGGGGGGGGG/G1G1G1G1G1GG/GGGGGGGGGGGG/GGGGGGGGGGGG";
    assert!(harness.send(&format!("position fen {position} 1 0-0 0 1")).is_empty());
    let replies = harness.send("query moves limit 100000");
    let longest_move = 1024 * 3;
    assert!(replies[0].len() <= MAX_LINE_BYTES);
    assert!(replies[0].len() + longest_move >= MAX_LINE_BYTES, "{}", replies[0].len());
    let count = replies[0].split(' ').nth(1).unwrap();
    let count: usize = count.strip_suffix('+').expect("a list that is cut").parse().unwrap();
    assert_eq!(replies[0].split(' ').count(), 2 + count);
}

#[test]
fn a_game_has_at_most_100000_moves() {
    let mut harness = Harness::new();
    harness.send("setoption name Game value tactica");
    harness.send("setoption name MaxPlies value 0\nsetoption name TacticaRepetition value 0");
    let round = " a1a2 a8a7 a2a1 a7a8";
    harness.send(&format!("position startpos moves{}", round.repeat(24_999)));
    assert!(harness.send(&format!("move{round}")).is_empty());
    let refused = harness.send("move a1a2");
    assert!(
        refused[0].starts_with("error out-of-range : expected a game of at most"),
        "{refused:?}"
    );
    let refused = harness.send(&format!("position startpos moves{}", round.repeat(25_001)));
    assert!(refused[0].starts_with("error out-of-range "), "{refused:?}");
    assert!(harness.send("query history")[0].starts_with("response 100000 a1a2 "));
    assert!(harness.send("undo\nmove a7a8").is_empty());
}

#[test]
fn a_searchmove_given_twice_counts_once() {
    let mut harness = Harness::new();
    harness.send("setoption name MultiPV value 4\ngo depth 2 searchmoves b2c3 c2c3 b2c3");
    harness.work();
    let ranks = harness.written.iter().filter(|line| line.contains(" depth 2 "));
    // The last of these lines repeats the best one.
    assert_eq!(ranks.count(), 2 + 1, "{:#?}", harness.written);
}

#[test]
fn more_threads_than_processors_are_reported() {
    let notes = |threads: usize| {
        let mut harness = Harness::new();
        harness.send(&format!("setoption name Threads value {threads}\ngo depth 1"));
        harness.work();
        let is_note = |line: &&String| line.starts_with("info string Threads is ");
        harness.written.iter().filter(is_note).count()
    };
    // No machine for which 256 is enough is expected here.
    assert_eq!([notes(1), notes(256)], [0, 1]);
}

#[test]
fn a_table_can_grow_and_shrink() {
    let mut harness = Harness::new();
    let [large, small, middle, again] = [64, 1, 3, 1].map(|mib| {
        assert!(harness.send(&format!("setoption name Hash value {mib}")).is_empty());
        harness.send("go nodes 20000");
        harness.work();
        let info = harness.written.iter().rfind(|line| line.contains(" hashfull ")).unwrap();
        let (_, hashfull) = info.split_once(" hashfull ").unwrap();
        let hashfull: u32 = hashfull.split(' ').next().unwrap().parse().unwrap();
        harness.written.clear();
        hashfull
    });
    assert!(large < middle && middle < small, "{large} {middle} {small}");
    assert_eq!(again, small);
}

/// A driver whose only thread runs the jobs too.
mod single {
    use std::cell::RefCell;

    use leap_engine::session::Event;
    use leap_protocol::Line;
    use leap_search::clock::Instant;

    use crate::harness::Harness;

    thread_local! {
        static DRIVER: RefCell<Harness> = RefCell::new({
            let harness = Harness::new();
            Harness { session: harness.session.polling(hear), ..harness }
        });
    }

    fn event(event: Event) {
        DRIVER.with_borrow_mut(|driver| driver.event(event));
    }

    fn hear() {
        for line in ["isready", "stop"] {
            event(Event::Line(Line::Text(line.to_owned()), Instant::now()));
        }
    }

    #[test]
    fn a_driver_with_one_thread_hears_its_client_during_a_job() {
        for (command, last) in [("go infinite", "bestmove"), ("perft 30", "perft 30")] {
            event(Event::Line(Line::Text(command.to_owned()), Instant::now()));
            let job = DRIVER.with_borrow_mut(|driver| driver.job.take());
            let (job, control) = job.unwrap();
            let reply = job(&control, &mut |reply| event(Event::Report(reply)));
            event(Event::Done(reply));
            let written = DRIVER.with_borrow_mut(|driver| std::mem::take(&mut driver.written));
            assert!(written.contains(&"readyok".to_owned()), "{written:?}");
            assert!(written.last().is_some_and(|line| line.starts_with(last)), "{written:?}");
        }
    }
}
