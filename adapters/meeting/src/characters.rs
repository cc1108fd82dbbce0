//! Which characters a line may have that goes to an engine.

use leap_protocol::{ErrorCode, ErrorReply};

/// Refuses a line with characters that not all engines read in the same way.
///
/// # Errors
/// The answer to whoever has sent the line, with the column of the first such character.
pub fn check_characters(line: &str) -> Result<(), ErrorReply> {
    let Some((at, found)) = line.chars().enumerate().find(|(_, c)| is_odd(*c)) else {
        return Ok(());
    };
    let found = found.escape_unicode();
    let text = format!("expected words between spaces or tabs, found {found}");
    Err(ErrorReply::new(ErrorCode::BadArgument, text).with("column", at + 1))
}

/// Characters that some engines treat as blanks or line ends and others do not.
fn is_odd(c: char) -> bool {
    (c.is_whitespace() || c.is_control()) && !matches!(c, ' ' | '\t')
}
