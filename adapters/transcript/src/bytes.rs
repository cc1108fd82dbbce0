//! Bytes as text, for lines that are not UTF-8 (SPEC 16.7).

use std::fmt;

/// Prints the bytes, with everything escaped that is not printable text.
pub(crate) fn print(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => f.write_str("\\\\")?,
                // A line cannot hold a line feed; it prints as a blank, as everywhere.
                '\n' => f.write_str(" ")?,
                c if c.is_control() => {
                    let mut buffer = [0; 4];
                    c.encode_utf8(&mut buffer).bytes().try_for_each(|byte| hex(f, byte))?;
                }
                c => write!(f, "{c}")?,
            }
        }
        chunk.invalid().iter().try_for_each(|byte| hex(f, *byte))?;
    }
    Ok(())
}

fn hex(f: &mut fmt::Formatter<'_>, byte: u8) -> fmt::Result {
    write!(f, "\\x{byte:02X}")
}

/// Parses printed bytes.
///
/// # Errors
/// The byte offset of a backslash that begins no escape, or the escape of a line feed.
pub(crate) fn parse(text: &str) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let at = text.len() - escape.len() - 1;
        let (byte, after) = unescape(escape).filter(|(byte, _)| *byte != b'\n').ok_or(at)?;
        bytes.push(byte);
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// The byte that an escape stands for, and what follows the escape. The backslash is not included.
fn unescape(escape: &str) -> Option<(u8, &str)> {
    if let Some(after) = escape.strip_prefix('\\') {
        return Some((b'\\', after));
    }
    let (digits, after) = escape.strip_prefix('x')?.split_at_checked(2)?;
    // `from_str_radix` alone would take a sign.
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u8::from_str_radix(digits, 16).ok().map(|byte| (byte, after))).flatten()
}
