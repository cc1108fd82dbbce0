//! How a finished game is told: the line that the worker reads, and the words for how it ended.

use leap_match::events::{End, Outcome, Reason};

/// The result from the side of p1, which is White in the games file. `None` for a game that counts for nobody.
pub(crate) fn result(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::P1Win => Some("1-0"),
        Outcome::P2Win => Some("0-1"),
        Outcome::Draw => Some("1/2-1/2"),
        Outcome::Void => None,
    }
}

/// The line for the worker. Its third word is the number, and its seventh the result. Between the first two colons the
/// worker looks for the faults that it counts.
pub(crate) fn line(end: &End, [p1, p2]: [&str; 2]) -> String {
    let (number, reason) = (end.game, reason(end));
    match result(end.result) {
        Some(result) => format!("Finished game {number} ({p1} vs {p2}): {result} {{{reason}}}"),
        None => format!("Void game {number} ({p1} vs {p2}): {reason}"),
    }
}

/// Why the game ended. The worker counts "disconnect" and "stalls" as crashes, "on time" as losses on time, and
/// "illegal" as illegal moves. No other reason may have these words before a colon.
fn reason(end: &End) -> String {
    let side = |number: Option<u8>| if number == Some(2) { "Black" } else { "White" };
    let guilty = side(end.guilty);
    let word = match end.reason {
        Reason::Rules => return by_rules(end),
        Reason::DrawAdjudication | Reason::MaxPlies => return "Draw by adjudication".to_owned(),
        Reason::WinAdjudication => return format!("{} by adjudication", winner(end.result)),
        Reason::Time => "loses on time",
        Reason::Stall => "stalls",
        Reason::IllegalMove => "makes an illegal move",
        // It does not know the rules either.
        Reason::WrongClaim => "makes an illegal claim about the result",
        Reason::Crash | Reason::Garbage | Reason::ExtraBestmove | Reason::Refused => "disconnects",
        Reason::Disagreement => return "the players disagree about the rules".to_owned(),
        Reason::Referee => return "the referee has failed".to_owned(),
    };
    format!("{guilty} {word}: {}", end.reason)
}

fn by_rules(end: &End) -> String {
    let how = format!("{} by the rules", winner(end.result));
    let is_plain = |c: &char| c.is_ascii_graphic() && !"{}".contains(*c);
    match &end.rule {
        Some(rule) => format!("{how}: {}", rule.chars().filter(is_plain).collect::<String>()),
        None => how,
    }
}

fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P1Win => "White wins",
        Outcome::P2Win => "Black wins",
        Outcome::Draw | Outcome::Void => "Draw",
    }
}

/// The value of the tag `Termination`: the worker reports games with "abandoned", "stalled" or "illegal" to the server.
pub(crate) fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules | Reason::Disagreement | Reason::Referee => "normal",
        Reason::DrawAdjudication | Reason::WinAdjudication | Reason::MaxPlies => "adjudication",
        Reason::Time => "time forfeit",
        Reason::Stall => "stalled connection",
        Reason::IllegalMove | Reason::WrongClaim => "illegal move",
        Reason::Crash | Reason::Garbage | Reason::ExtraBestmove | Reason::Refused => "abandoned",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(result: Outcome, reason: Reason, guilty: Option<u8>) -> End {
        End {
            game: 7,
            result,
            reason,
            rule: (reason == Reason::Rules).then(|| "illegal-on time".to_owned()),
            guilty,
            unstarted: false,
            plies: 30,
            time_us: 1,
            time: "2026-01-01T00:00:00Z".to_owned(),
        }
    }

    /// What the worker makes of a line: the number, the result, and whether it counts a crash, a loss on time, an
    /// illegal move.
    fn as_the_worker_reads(line: &str) -> (u64, &str, [bool; 3]) {
        assert!(line.is_ascii() && line.contains("Finished game"), "{line}");
        let reason = line.split(':').nth(1).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let crash = reason.contains("disconnect") || reason.contains("stalls");
        let faults = [crash, reason.contains("on time"), reason.contains("illegal")];
        (words[2].parse().unwrap(), words[6], faults)
    }

    #[test]
    fn the_worker_counts_every_ending_under_its_column() {
        const NONE: [bool; 3] = [false; 3];
        const CRASH: [bool; 3] = [true, false, false];
        const TIME: [bool; 3] = [false, true, false];
        const ILLEGAL: [bool; 3] = [false, false, true];
        for reason in Reason::ALL.iter().copied() {
            let expected = match reason {
                Reason::Time => TIME,
                Reason::IllegalMove | Reason::WrongClaim => ILLEGAL,
                Reason::Crash
                | Reason::Stall
                | Reason::Garbage
                | Reason::ExtraBestmove
                | Reason::Refused => CRASH,
                _ => NONE,
            };
            let line = line(&end(Outcome::P2Win, reason, Some(1)), ["a-dev", "a-base"]);
            assert_eq!(as_the_worker_reads(&line), (7, "0-1", expected), "{line}");
        }
    }

    #[test]
    fn the_guilty_side_and_the_winner_are_named() {
        let line = |end: End| line(&end, ["a", "b"]);
        assert_eq!(
            line(end(Outcome::P1Win, Reason::Time, Some(2))),
            "Finished game 7 (a vs b): 1-0 {Black loses on time: time}"
        );
        assert_eq!(
            line(end(Outcome::Draw, Reason::DrawAdjudication, None)),
            "Finished game 7 (a vs b): 1/2-1/2 {Draw by adjudication}"
        );
        assert_eq!(
            line(end(Outcome::Void, Reason::Referee, None)),
            "Void game 7 (a vs b): the referee has failed"
        );
    }
}
