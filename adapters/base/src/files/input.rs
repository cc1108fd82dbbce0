//! Reading files that a person names: in bounded time and memory, whatever the path leads to.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// How the standard input is named where a file is expected.
const STANDARD_INPUT: [&str; 2] = ["-", "/dev/stdin"];
/// What begins a text in UTF-16, in either order of bytes.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Opens a regular file to be read. A pipe may have no writer, and a device may have no end: neither is opened.
/// `-` and `/dev/stdin` are the standard input, whatever it is.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if the path leads to something other than a regular file; any error of opening it.
pub fn open(path: &Path) -> io::Result<File> {
    if is_standard_input(path) {
        return standard_input();
    }
    // Opening a device may act on it, so it is not even opened.
    check(&fs::metadata(path)?)?;
    let file = open_now(path)?;
    // Something else may have taken its place meanwhile.
    is_regular(&file)?;
    Ok(file)
}

/// A path that leads to the same file from every folder.
///
/// # Errors
/// If the path is empty, or the current folder is gone.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    if is_standard_input(path) {
        return Ok(PathBuf::from(STANDARD_INPUT[1]));
    }
    std::path::absolute(path)
}

fn is_standard_input(path: &Path) -> bool {
    STANDARD_INPUT.iter().any(|name| path == Path::new(name))
}

/// Whether an open file is a regular one.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if it is not, which says what it is; any error of asking.
pub fn is_regular(file: &File) -> io::Result<()> {
    check(&file.metadata()?)
}

/// Reads the beginning of a file, at most `most` bytes.
///
/// # Errors
/// If the file cannot be read.
pub fn beginning(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    open(path)?.take(most as u64).read_to_end(&mut begin)?;
    Ok(begin)
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// As [`open`]; [`ErrorKind::FileTooLarge`] if it is longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    // The standard input has no known length.
    open(path)?.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        let text = format!("expected at most {most} bytes, found more");
        return Err(io::Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(content)
}

/// Like [`read`], for [`text`].
///
/// # Errors
/// As [`read`] and [`text`].
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let content = read(path, most)?;
    text(&content).map(str::to_owned)
}

/// The text of a file: UTF-8, without the byte order mark that some editors put before it.
///
/// # Errors
/// [`ErrorKind::InvalidData`] if the contents are not UTF-8. UTF-16 is named, since `>` in PowerShell writes it.
pub fn text(content: &[u8]) -> io::Result<&str> {
    if is_utf_16(content) {
        let text = "expected UTF-8, found UTF-16; save the file as UTF-8";
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    let text = std::str::from_utf8(content).map_err(|error| {
        let before = &content[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let text = format!("expected UTF-8, found other bytes in line {line}");
        io::Error::new(ErrorKind::InvalidData, text)
    })?;
    Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
}

/// Whether a text is in UTF-16: it has the mark, or zeros beside its first letters.
fn is_utf_16(content: &[u8]) -> bool {
    let begin = content.get(..4).unwrap_or_default();
    UTF_16.iter().any(|mark| content.starts_with(mark))
        || matches!(begin, [a, 0, b, 0] | [0, a, 0, b] if *a != 0 && *b != 0)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let text = format!("expected a regular file, found {}", kind(metadata));
    Err(io::Error::new(ErrorKind::InvalidInput, text))
}

#[cfg(unix)]
fn kind(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    match kind {
        _ if kind.is_dir() => "a folder",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() { "a folder" } else { "a pipe or a device" }
}

/// Opens a file, without waiting for the other end if it is a pipe.
#[cfg(unix)]
fn open_now(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = nix::fcntl::OFlag::O_NONBLOCK;
    File::options().read(true).custom_flags(flags.bits()).open(path)
}

#[cfg(not(unix))]
fn open_now(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_a_bound() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        let error = read(&path, 4).unwrap_err();
        assert_eq!(error.to_string(), "expected at most 4 bytes, found more");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_named_and_not_read() {
        use nix::sys::stat::Mode;
        let place = tempfile::tempdir().unwrap();
        let [pipe, link, socket] = ["pipe", "link", "socket"].map(|name| place.path().join(name));
        nix::unistd::mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        let _bound = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, found) in [
            (&*pipe, "a pipe"),
            (&link, "a pipe"),
            (&socket, "a socket"),
            (place.path(), "a folder"),
            (Path::new("/dev/zero"), "a device"),
        ] {
            for error in [read(path, 9).unwrap_err(), beginning(path, 9).unwrap_err()] {
                assert_eq!(error.to_string(), format!("expected a regular file, found {found}"));
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_utf_16_is_named() {
        assert_eq!(text("\u{feff}a\n".as_bytes()).unwrap(), "a\n");
        assert_eq!(text("a\u{feff}".as_bytes()).unwrap(), "a\u{feff}", "only the first is a mark");
        assert_eq!(text(b"").unwrap(), "");
        let utf_16 = |units: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
            text.encode_utf16().flat_map(units).collect()
        };
        for units in [u16::to_le_bytes, u16::to_be_bytes] {
            for content in ["\u{feff}8/8 1", "8/8 1", "\u{feff}"] {
                let error = text(&utf_16(units, content)).unwrap_err().to_string();
                assert!(error.contains("UTF-16"), "{error}");
            }
        }
        let error = text(b"a\nb\xffc").unwrap_err().to_string();
        assert_eq!(error, "expected UTF-8, found other bytes in line 2");
    }
}
