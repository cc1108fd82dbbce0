//! Reading files for the page. The exported page reads them itself, with the same function of `leap-records`.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use leap_records::{MAX_BYTES, Refusal, Unread, answer};
use serde::Serialize;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::guard::Hosts;
use super::memory::{Answer, Memory, Share};

/// How many files are read at the same time. Each takes about 100 MiB at most.
const AT_ONCE: usize = 2;
const JSON: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];
/// How long a whole file may take to arrive.
const ARRIVES_WITHIN: Duration = Duration::from_secs(20);
/// How long the next piece of a file may take to arrive.
const GOES_ON_WITHIN: Duration = Duration::from_secs(3);

/// The reader of files, shared by all pages.
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

/// Why the server did not read a file, which may be sound.
#[derive(Debug, Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Unheard {
    #[error("the server is reading many files; open this one again in a moment")]
    Busy,
    #[error("the file did not arrive in time; open it again")]
    Late,
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
    // A permit is taken only now: a file that is still arriving keeps no other from being read.
    let Ok(_permit) = reader.permits.acquire().await else {
        return refuse_as(StatusCode::SERVICE_UNAVAILABLE);
    };
    // Pages in play must not wait for the reading.
    let read = tokio::task::spawn_blocking(move || answer(&bytes)).await;
    drop(share);
    match read {
        Ok(Ok(games)) => {
            let mut share = reader.memory.share();
            match share.grow_to(games.len()).await {
                Some(()) => (JSON, Body::new(Answer::new(games, share))).into_response(),
                None => refuse_as(StatusCode::SERVICE_UNAVAILABLE),
            }
        }
        Ok(Err(refusal)) => refuse(StatusCode::UNPROCESSABLE_ENTITY, refusal.to_json()),
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
    let refusal = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::new(None, Unread::large_file()).to_json(),
        StatusCode::SERVICE_UNAVAILABLE => Refusal::new(None, Unheard::Busy).to_json(),
        _ => Refusal::new(None, Unheard::Late).to_json(),
    };
    refuse(status, refusal)
}

fn refuse(status: StatusCode, refusal: Vec<u8>) -> Response {
    (status, JSON, refusal).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::Value;

    use super::*;

    /// Files that are refused: one for each kind of refusal, named after the kind.
    const REFUSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../records/tests/refused");

    /// The refusal's kind. Panics unless the page's text for it uses only the values of the refusal.
    fn kind(refusal: &[u8], texts: &Value) -> String {
        let told: Value = serde_json::from_slice(refusal).unwrap();
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
        let texts: Value = serde_json::from_str(leap_page::text("lang/en.json")).unwrap();
        let refused = |bytes: &[u8]| kind(&answer(bytes).unwrap_err().to_json(), &texts);
        let moves = |count| format!("[Game \"a\"]\n\n{}*\n", "a1a2 ".repeat(count));
        let games = "> move b\n> uginewgame\n".repeat(50);
        let session = format!("ugt 1\n> setoption name a value {}\n{games}", "b".repeat(2 << 20));
        let long = [moves(10_001), moves(100_001), session, " ".repeat(MAX_BYTES + 1)];
        let mut kinds: BTreeSet<String> =
            long.iter().map(|text| refused(text.as_bytes())).collect();
        for file in fs::read_dir(REFUSED).unwrap() {
            let path = file.unwrap().path();
            let kind = refused(&fs::read(&path).unwrap());
            assert_eq!(kind, path.file_name().unwrap().to_str().unwrap());
            kinds.insert(kind);
        }
        for why in [Unheard::Busy, Unheard::Late] {
            kinds.insert(kind(&Refusal::new(None, why).to_json(), &texts));
        }
        let keys = texts.as_object().unwrap().keys();
        let known = keys.filter_map(|key| key.strip_prefix("unread.")).map(str::to_owned).collect();
        assert_eq!(kinds, known);
    }
}
