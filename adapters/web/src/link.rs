//! The connection of a page: one line per text frame.

use std::time::Duration;

use axum::extract::ws::{CloseCode, CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::time::{Instant, Interval, interval, timeout};

use super::sockets::Share;

/// How often a silent page is pinged.
pub(super) const PING: Duration = Duration::from_secs(10);
/// How long a page may leave a ping unanswered or its messages unread.
pub(super) const DEAD: Duration = Duration::from_secs(30);
/// How long a page may take to say who it is.
pub(super) const ENTERS_WITHIN: Duration = Duration::from_secs(10);
/// How long a page may take to close its side of a connection.
const CLOSES_WITHIN: Duration = Duration::from_secs(2);
/// Why a connection is closed; `None` if the page has gone.
pub(super) type Reason = Option<(CloseCode, &'static str)>;

/// A WebSocket, and its share of those that may be open.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) socket: WebSocket,
    /// `None` if only the engine is counted.
    pub(super) share: Option<Share>,
}

impl Link {
    /// Notes that a right secret was shown.
    pub(super) fn keep(&self) {
        if let Some(share) = &self.share {
            share.keep();
        }
    }
}

/// A connection whose page is pinged, and given up when it no longer answers.
#[derive(Debug)]
pub(super) struct Pinged<'s> {
    socket: &'s mut WebSocket,
    ping: Interval,
    heard: Instant,
}

impl<'s> Pinged<'s> {
    pub(super) fn new(socket: &'s mut WebSocket) -> Self {
        Self { socket, ping: interval(PING), heard: Instant::now() }
    }

    /// The next text of the page, or why there is none. A call that is cancelled loses no text.
    pub(super) async fn text(&mut self) -> Result<Utf8Bytes, Reason> {
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    self.has_waited();
                    match message.and_then(Result::ok).ok_or(None)? {
                        Message::Text(text) => return Ok(text),
                        Message::Binary(_) => {
                            return Err(Some((close_code::POLICY, "expected text frames")));
                        }
                        Message::Ping(_) | Message::Pong(_) => {}
                        Message::Close(_) => return Err(None),
                    }
                }
                _ = self.ping.tick() => {
                    if self.heard.elapsed() > DEAD {
                        return Err(None);
                    }
                    send(self.socket, Message::Ping(Vec::new().into())).await.ok_or(None)?;
                }
            }
        }
    }

    pub(super) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), Reason> {
        send(self.socket, Message::Text(text.into())).await.ok_or(None)
    }

    /// Notes that what the page has sent may have waited until now, its answers to pings too.
    pub(super) fn has_waited(&mut self) {
        self.heard = Instant::now();
    }
}

/// Closes a connection with a reason.
///
/// What the page has sent meanwhile is read until it closes its side. The system would reset the connection over unread
/// data, and a browser may then lose the reason.
pub(super) async fn close(socket: &mut WebSocket, reason: Reason) {
    let Some((code, reason)) = reason else { return };
    let frame = CloseFrame { code, reason: reason.into() };
    // A page that has gone does not need a reason.
    if send(socket, Message::Close(Some(frame))).await.is_some() {
        let _ =
            timeout(CLOSES_WITHIN, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}

/// Sends a message; `None` if the page has gone or does not read.
pub(super) async fn send(socket: &mut WebSocket, message: Message) -> Option<()> {
    timeout(DEAD, socket.send(message)).await.ok()?.ok()
}

/// Whether the text is exactly one line.
pub(super) fn is_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\0'])
}
