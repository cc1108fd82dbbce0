//! Reading files for the page: records and transcripts are parsed here and nowhere else.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use leap_records::StoredError;
use serde::Serialize;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::guard::Hosts;
use super::memory::{Answer, Memory, Share};

/// The longest file, in bytes, and the longest game in it.
const MAX_BYTES: usize = 4 << 20;
const MAX_MOVES: usize = 10_000;
/// How many files are read at a time; each takes some 100 MiB at most.
const AT_ONCE: usize = 2;
const JSON: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];
/// How long a file may take to arrive, and how long its next piece.
const ARRIVES_WITHIN: Duration = Duration::from_secs(20);
const GOES_ON_WITHIN: Duration = Duration::from_secs(3);

/// What reads files, for all pages.
#[derive(Debug)]
pub(super) struct Reader {
    hosts: Hosts,
    memory: Memory,
    /// One permit for each file that may still be read.
    permits: Semaphore,
}

impl Reader {
    pub(super) fn new(hosts: Hosts) -> Self {
        Self { hosts, memory: Memory::new(), permits: Semaphore::new(AT_ONCE) }
    }
}

/// Why a file is not opened.
#[derive(Debug, Serialize)]
struct Refusal {
    /// The line of the fault, from 1, unless it is the file as a whole.
    line: Option<usize>,
    /// The message, for those who do not know its kind.
    text: String,
    /// Its kind and its values, from which the page makes a message in its language.
    #[serde(flatten)]
    why: Why,
}

#[derive(Debug, Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Why {
    #[error("expected a file of at most {max} MiB, found a larger one")]
    LargeFile { max: usize },
    #[error("expected a game of at most {max} moves, found a longer one")]
    LongGame { max: usize },
    #[error("the server is reading many files; open this one again in a moment")]
    Busy,
    #[error("the file did not arrive in time; open it again")]
    Late,
    #[error(transparent)]
    #[serde(untagged)]
    Stored(StoredError),
}

impl Refusal {
    fn new(line: Option<usize>, why: Why) -> Self {
        Self { line, text: why.to_string(), why }
    }
}

/// `POST /games`: answers a file with `{"games":[...]}`, or with the status 422 and a refusal.
pub(super) async fn read_games(
    State(reader): State<Arc<Reader>>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if !reader.hosts.is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "only the page of this server may send files\n")
            .into_response();
    }
    let mut share = reader.memory.share();
    let bytes = match timeout(ARRIVES_WITHIN, receive(body, &mut share)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(status)) => return refuse_as(status),
        Err(_) => return refuse_as(StatusCode::REQUEST_TIMEOUT),
    };
    // A file that has not arrived yet keeps none from being read.
    let Ok(_permit) = reader.permits.acquire().await else {
        return refuse_as(StatusCode::SERVICE_UNAVAILABLE);
    };
    // Pages that play must not wait for it.
    let read = tokio::task::spawn_blocking(move || read(&bytes)).await;
    drop(share);
    match read {
        Ok(Ok(games)) => {
            let mut share = reader.memory.share();
            match share.grow_to(games.len()).await {
                Some(()) => (JSON, Body::new(Answer::new(games, share))).into_response(),
                None => refuse_as(StatusCode::SERVICE_UNAVAILABLE),
            }
        }
        Ok(Err(refusal)) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &refusal),
        Err(error) => {
            log::error!("reading a file: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Receives a file piece by piece.
async fn receive(mut body: Body, share: &mut Share) -> Result<Vec<u8>, StatusCode> {
    let mut bytes = Vec::new();
    loop {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let next = timeout(GOES_ON_WITHIN, next).await.map_err(|_| StatusCode::REQUEST_TIMEOUT)?;
        let Some(frame) = next else { return Ok(bytes) };
        let Ok(piece) = frame.map_err(|_| StatusCode::BAD_REQUEST)?.into_data() else { continue };
        if bytes.len() + piece.len() > MAX_BYTES {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        let room = share.grow_to(bytes.len() + piece.len()).await;
        room.ok_or(StatusCode::SERVICE_UNAVAILABLE)?;
        bytes.extend_from_slice(&piece);
    }
}

/// Refuses a file that was not read.
fn refuse_as(status: StatusCode) -> Response {
    let why = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Why::LargeFile { max: MAX_BYTES >> 20 },
        StatusCode::SERVICE_UNAVAILABLE => Why::Busy,
        _ => Why::Late,
    };
    refuse(status, &Refusal::new(None, why))
}

fn refuse(status: StatusCode, refusal: &Refusal) -> Response {
    (status, JSON, to_json(refusal)).into_response()
}

/// The games of a file as JSON. Each is written when it is read, so that not all are held as values.
fn read(bytes: &[u8]) -> Result<String, Refusal> {
    let mut json = String::from("{\"games\":[");
    for game in leap_records::read_games(bytes)? {
        let game = game?;
        if game.moves.len() > MAX_MOVES {
            return Err(Refusal::new(Some(game.line), Why::LongGame { max: MAX_MOVES }));
        }
        if !json.ends_with('[') {
            json.push(',');
        }
        json.push_str(&to_json(&game));
    }
    json.push_str("]}");
    Ok(json)
}

fn to_json(value: &impl Serialize) -> String {
    // Only values with keys that are no text fail.
    serde_json::to_string(value).unwrap_or_default()
}

impl From<StoredError> for Refusal {
    fn from(error: StoredError) -> Self {
        Self::new(error.line(), Why::Stored(error))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    /// Files that are refused, one for each kind of refusal.
    const REFUSED: &[&[u8]] = &[
        b"[Site]\n",
        b"[Game \"a\\\"]\n",
        b"[Game \"a\"]\n\n{cp 3} *\n",
        b"[Game \"a\"]\n\n2. a1a2 *\n",
        b"[Game \"a\"]\n\na1a2} *\n",
        b"[Game \"a\"]\n\n1. a1a2\n",
        b"[Game \"a\"]\n\n1. a1a2\n[Game \"a\"]\n\n*\n",
        b"[Game \"a\"]\n\n1. a1a2 {\n",
        b"[Game \"a\"]\n\n* a1a2\n",
        b"[Game \"a\"]\n\na1a2 {cp x} *\n",
        b"[Game \"a\"]\n\na1a2 {cp} *\n",
        b"\xf8",
        b"",
        b"ugt 1\n> isready\n",
        b"hello\n",
        b"[Site \"here\"]\n\n*\n",
        b"ugt 1\nhello\n",
        b"1. e4 e5\n",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        b"(;GM[1])",
        b"\xff\xfea\0",
        b"\x89PNG\r\n\x1a\n",
        b"\x1f\x8b\x08",
        b"%PDF-1.7",
    ];

    /// The refusal's kind, and whether the text of the page for it has no values but those of the refusal.
    fn kind(refusal: &Refusal, texts: &Value) -> String {
        let told = serde_json::to_value(refusal).unwrap();
        let kind = told["kind"].as_str().unwrap();
        let text = texts[format!("unread.{kind}")].as_str().unwrap_or_else(|| panic!("{kind}"));
        for (at, _) in text.match_indices('{') {
            let name = text[at + 1..].split('}').next().unwrap();
            assert!(name.is_empty() || !told[name].is_null(), "{kind}: {text}");
        }
        kind.to_owned()
    }

    #[test]
    fn every_refusal_has_a_text_in_the_page_with_its_values() {
        let texts: Value = serde_json::from_str(include_str!("page/lang/en.json")).unwrap();
        let moves = |count| format!("[Game \"a\"]\n\n{}*\n", "a1a2 ".repeat(count)).into_bytes();
        let long = [moves(MAX_MOVES + 1), moves(100_001)];
        let files = REFUSED.iter().copied().chain(long.iter().map(Vec::as_slice));
        let mut kinds: BTreeSet<String> =
            files.map(|bytes| kind(&read(bytes).unwrap_err(), &texts)).collect();
        for why in [Why::LargeFile { max: 4 }, Why::Busy, Why::Late] {
            kinds.insert(kind(&Refusal::new(None, why), &texts));
        }
        let keys = texts.as_object().unwrap().keys();
        let known = keys.filter_map(|key| key.strip_prefix("unread.")).map(str::to_owned).collect();
        assert_eq!(kinds, known);
    }
}
