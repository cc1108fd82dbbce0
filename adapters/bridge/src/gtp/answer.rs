//! Commands of GTP and their answers. Each has a number, so that an answer that nobody has asked for is not taken for
//! another.

use crate::fault::Broken;
use crate::link::Link;

/// The engine, as one talks to it.
pub(super) struct Wire {
    link: Link,
    /// The number of the last command.
    id: u64,
}

/// What was answered, or the text of the engine's error.
pub(super) type Answer = Result<String, String>;

impl Wire {
    pub(super) fn new(link: Link) -> Self {
        Self { link, id: 0 }
    }

    pub(super) fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    /// Sends a command and waits for its answer. Lines between answers, and answers to other commands, are skipped.
    pub(super) fn ask(&mut self, command: &str) -> Result<Answer, Broken> {
        self.id += 1;
        let id = self.id;
        self.link.send(&format!("{id} {command}"))?;
        loop {
            let Some((is_own, answer)) = begun(&self.link.receive()?, id) else { continue };
            let answer = self.rest(answer)?;
            if is_own {
                return Ok(answer);
            }
        }
    }

    /// An answer lasts until an empty line.
    fn rest(&mut self, first: Answer) -> Result<Answer, Broken> {
        let (is_fine, mut text) = match first {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        loop {
            let line = self.link.receive()?;
            if line.trim().is_empty() {
                let text = text.trim().to_owned();
                return Ok(if is_fine { Ok(text) } else { Err(text) });
            }
            text.push('\n');
            text.push_str(line.trim_end());
        }
    }
}

/// The first line of an answer, and whether it is to this command: one without a number is. `None` for another line.
fn begun(line: &str, id: u64) -> Option<(bool, Answer)> {
    let (is_fine, rest) = match (line.strip_prefix('='), line.strip_prefix('?')) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, text) = rest.split_at(digits);
    let is_own = number.is_empty() || number.parse() == Ok(id);
    let text = text.trim().to_owned();
    Some((is_own, if is_fine { Ok(text) } else { Err(text) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_to_another_command_is_told_apart() {
        assert_eq!(begun("=7 C3", 7), Some((true, Ok("C3".to_owned()))));
        assert_eq!(begun("=6 C3", 7), Some((false, Ok("C3".to_owned()))));
        assert_eq!(begun("= C3\r", 7), Some((true, Ok("C3".to_owned()))));
        assert_eq!(begun("?7 illegal move", 7), Some((true, Err("illegal move".to_owned()))));
        assert_eq!(begun("=99999999999999999999999", 7), Some((false, Ok(String::new()))));
        for line in ["", "thinking", " =7 C3"] {
            assert_eq!(begun(line, 7), None, "{line:?}");
        }
    }
}
