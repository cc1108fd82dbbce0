//! Reading files for the page: records and transcripts are parsed here and nowhere else.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::guard::Hosts;
use super::memory::{Answer, Memory, Share};
use crate::records::{self, StoredError};

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
    text: String,
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
    let text = match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!("expected a file of at most {} MiB, found a larger one", MAX_BYTES >> 20)
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            "the server is reading many files; open this one again in a moment".to_owned()
        }
        _ => "the file did not arrive in time; open it again".to_owned(),
    };
    refuse(status, &Refusal { line: None, text })
}

fn refuse(status: StatusCode, refusal: &Refusal) -> Response {
    (status, JSON, to_json(refusal)).into_response()
}

/// The games of a file as JSON. Each is written when it is read, so that not all are held as values.
fn read(bytes: &[u8]) -> Result<String, Refusal> {
    let mut json = String::from("{\"games\":[");
    for game in records::read_games(bytes)? {
        let game = game?;
        if game.moves.len() > MAX_MOVES {
            let text = format!("expected a game of at most {MAX_MOVES} moves, found a longer one");
            return Err(Refusal { line: Some(game.line), text });
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
        Self { line: error.line(), text: error.to_string() }
    }
}
