//! Reading files for the page: records and transcripts are parsed here and nowhere else.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::guard::Hosts;
use crate::records::{self, StoredError};

/// The longest file, in bytes, and the longest game in it.
const MAX_BYTES: usize = 4 << 20;
const MAX_MOVES: usize = 10_000;
/// How many files are read at a time; each takes some 100 MiB at most.
const AT_ONCE: usize = 2;
const JSON: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];
/// How long a file may take to arrive.
const ARRIVES_WITHIN: Duration = Duration::from_secs(20);

/// What reads files, for all pages.
#[derive(Debug)]
pub(super) struct Reader {
    hosts: Hosts,
    /// One permit for each file that may still be read.
    permits: Semaphore,
}

impl Reader {
    pub(super) fn new(hosts: Hosts) -> Self {
        Self { hosts, permits: Semaphore::new(AT_ONCE) }
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
    let Ok(_permit) = reader.permits.acquire().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let Ok(bytes) = timeout(ARRIVES_WITHIN, to_bytes(body, MAX_BYTES)).await else {
        return StatusCode::REQUEST_TIMEOUT.into_response();
    };
    let Ok(bytes) = bytes else {
        let text =
            format!("expected a file of at most {} MiB, found a larger one", MAX_BYTES >> 20);
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, &Refusal { line: None, text });
    };
    // Pages that play must not wait for it.
    match tokio::task::spawn_blocking(move || read(&bytes)).await {
        Ok(Ok(games)) => (JSON, games).into_response(),
        Ok(Err(refusal)) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &refusal),
        Err(error) => {
            log::error!("reading a file: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
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
