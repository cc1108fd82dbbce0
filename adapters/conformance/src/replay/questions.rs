//! Which answers of searches a transcript lacks: what `--update` waits for after a question that has no answer yet.

use leap_protocol::{Command, Go, Reply};
use leap_transcript::{Entry, Expected, Sent, Stream};

/// For each entry, whether the end of a search or perft is due after it and stands nowhere in the transcript.
pub(super) fn due(entries: &[Entry]) -> Vec<bool> {
    let mut due = vec![false; entries.len()];
    // The search whose end has not been passed yet.
    let mut search: Option<Go> = None;
    for (index, entry) in entries.iter().enumerate() {
        let rest = &entries[index + 1..];
        let ends = match command(entry) {
            Some(Command::Go(go)) => ends(search.insert(go)) && !is_stopped(rest),
            Some(Command::Perft(_)) => !is_stopped(rest),
            Some(Command::Stop) => search.is_some(),
            Some(Command::PonderHit) => search.as_mut().is_some_and(|go| {
                go.ponder = false;
                ends(go) && !is_stopped(rest)
            }),
            _ => false,
        };
        due[index] = ends && !is_answered(rest);
        search.take_if(|_| ends_search(entry));
    }
    due
}

fn command(entry: &Entry) -> Option<Command> {
    let Entry::Sent(Sent::Line(line)) = entry else { return None };
    Command::parse(line).ok().flatten()
}

/// Whether a search comes to its end by itself.
const fn ends(go: &Go) -> bool {
    !go.is_unbounded() && !go.ponder
}

/// Whether a `stop` follows before the next search.
fn is_stopped(rest: &[Entry]) -> bool {
    let next = rest
        .iter()
        .filter_map(command)
        .find(|command| matches!(command, Command::Go(_) | Command::Perft(_) | Command::Stop));
    next == Some(Command::Stop)
}

/// Whether the end of the search stands before the next search. An error is one only if it answers the `go` itself.
fn is_answered(rest: &[Entry]) -> bool {
    let mut is_direct = true;
    for entry in rest {
        if matches!(command(entry), Some(Command::Go(_) | Command::Perft(_))) {
            return false;
        }
        is_direct &= !matches!(entry, Entry::Sent(_));
        if ends_search(entry) || is_direct && is_error(entry) {
            return true;
        }
    }
    false
}

/// Whether an entry has the line that ends a search.
fn ends_search(entry: &Entry) -> bool {
    match entry {
        Entry::Expected(Expected::Ignored(line)) => Stream::of(line) == Stream::Search,
        Entry::Expected(Expected::Default(line) | Expected::Exact(line))
            if line.starts_with("info") =>
        {
            false
        }
        entry => entry.stream() == Stream::Search,
    }
}

fn is_error(entry: &Entry) -> bool {
    let Entry::Expected(Expected::Default(line) | Expected::Exact(line)) = entry else {
        return false;
    };
    matches!(Reply::parse(line), Reply::Error(_))
}

#[cfg(test)]
mod tests {
    use leap_transcript::Transcript;

    use super::*;

    fn entries(lines: &str) -> Vec<Entry> {
        Transcript::parse(format!("ugt 1\n{}\n", lines.replace("; ", "\n")).as_bytes())
            .unwrap()
            .entries
    }

    #[test]
    fn a_search_with_a_limit_is_waited_for_unless_it_is_stopped() {
        for (lines, expected) in [
            ("> go depth 1; > isready", &[true, false][..]),
            ("> go infinite; > isready; > stop", &[false, false, true]),
            ("> go depth 9; > query fen; > stop", &[false, false, true]),
            ("> go depth 1; < bestmove a; > stop", &[false, false, false]),
            ("> go depth 1; > go depth 9; > stop", &[true, false, true]),
            ("> go ponder movetime 9; > ponderhit", &[false, true]),
            ("> go ponder; > ponderhit; > stop", &[false, false, true]),
            ("> perft 2; > stop", &[false, false]),
            ("> perft 2; > quit", &[true, false]),
        ] {
            assert_eq!(due(&entries(lines)), expected, "{lines}");
        }
    }

    #[test]
    fn nothing_is_due_that_stands_there() {
        for (lines, expected) in [
            ("> go depth 1", true),
            ("> go depth 1; > isready; < readyok; < bestmove a", false),
            ("> go depth 1; > isready; < readyok; > quit", true),
            ("> go depth 1; > hello; < error unknown-command : x", true),
            ("> go depth 1; > go depth 1; < bestmove a", true),
            ("> go infinite; > stop", true),
            ("> go infinite; > stop; > isready; < readyok; < bestmove a", false),
            ("> go infinite", false),
            ("> go depth 1; < error bad-argument : x", false),
            ("> go depth 1; <~ bestmove .*", false),
            ("> perft 1; < info perft a 1", true),
            ("> perft 1; < info perft a 1; < perft 1 nodes 1", false),
            ("> query fen", false),
        ] {
            assert_eq!(due(&entries(lines)).contains(&true), expected, "{lines}");
        }
    }
}
