//! The XBoard commands that are handled (Chess Engine Communication Protocol, version 2).

/// A command of XBoard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// `protover`: asks for the supported features.
    Hello,
    /// `new`: starts a new game.
    New,
    /// `variant`: selects the game.
    Variant,
    /// `ping`, to be answered by `pong`.
    Ping(&'a str),
    /// `lift`: a piece was picked up.
    Lift(&'a str),
    /// `hover`: the mouse is over a marked square.
    Hover(&'a str),
    /// `put`: the piece was put down.
    Put(&'a str),
    /// `result`: the game is over for XBoard too. With `*` XBoard only begins another one.
    Result(&'a str),
    /// `go`: play the side to move.
    Go,
    /// `?`: move now.
    MoveNow,
    /// `st`: seconds for each move.
    MoveTime(u64),
    /// `sd`: depth of each search.
    Depth(u32),
    /// `post` and `nopost`: whether to show the engine's thinking.
    Post(bool),
    /// `undo` and `remove`: take back moves.
    Undo(usize),
    /// `option`: sets one of our options.
    Option(&'a str, Option<&'a str>),
    /// `setboard`, `usermove`, clocks and everything else: ignored.
    Other,
}

impl<'a> Command<'a> {
    pub(super) fn parse(line: &'a str) -> Self {
        let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match name {
            "protover" => Command::Hello,
            "new" => Command::New,
            "variant" => Command::Variant,
            "ping" => Command::Ping(rest),
            "lift" => Command::Lift(rest),
            "hover" => Command::Hover(rest),
            "put" => Command::Put(rest),
            "result" => Command::Result(rest),
            "go" => Command::Go,
            "?" => Command::MoveNow,
            "st" => rest
                .parse()
                .map_or(Command::Other, |s: u64| Command::MoveTime(s.saturating_mul(1_000))),
            "sd" => rest.parse().map_or(Command::Other, Command::Depth),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "undo" => Command::Undo(1),
            "remove" => Command::Undo(2),
            "option" => match rest.split_once('=') {
                Some((name, value)) => Command::Option(name, Some(value)),
                None => Command::Option(rest, None),
            },
            _ => Command::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_apart() {
        assert_eq!(Command::parse("protover 2\n"), Command::Hello);
        assert_eq!(Command::parse("lift d3"), Command::Lift("d3"));
        assert_eq!(Command::parse("st 3"), Command::MoveTime(3_000));
        assert_eq!(Command::parse("st x"), Command::Other);
        assert_eq!(Command::parse("option Take back"), Command::Option("Take back", None));
        assert_eq!(Command::parse("option Hash=5"), Command::Option("Hash", Some("5")));
        assert_eq!(Command::parse("usermove e2e4"), Command::Other);
        assert_eq!(Command::parse("result 1-0 {x}"), Command::Result("1-0 {x}"));
        assert_eq!(Command::parse(""), Command::Other);
    }
}
