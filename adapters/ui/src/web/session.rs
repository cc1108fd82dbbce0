//! The session of a page and its engine: one line per text frame.

use std::time::Duration;

use axum::extract::ws::{CloseCode, CloseFrame, Message, WebSocket, close_code};
use tokio::time::{Instant, interval, timeout};

use super::engine::{ENDED, EngineChannels};
use super::gate::Gate;

/// How often a silent page is pinged.
pub(super) const PING: Duration = Duration::from_secs(10);
/// How long a page may leave a ping unanswered or its messages unread.
pub(super) const DEAD: Duration = Duration::from_secs(30);

/// Passes lines until either side closes.
pub(super) async fn run(
    mut socket: WebSocket,
    mut engine: EngineChannels,
    mut gate: Gate,
    idle: Duration,
) {
    let end = talk(&mut socket, &mut engine, &mut gate, idle).await;
    match end {
        Some((_, ENDED)) => engine.mourn(),
        _ => drop(engine),
    }
    if let Some((code, reason)) = end {
        let frame = CloseFrame { code, reason: reason.into() };
        // A page that has gone does not need a reason.
        let _ = timeout(PING, socket.send(Message::Close(Some(frame)))).await;
    }
}

/// Why we end the session; `None` if the page has gone.
type End = Option<(CloseCode, &'static str)>;

/// Passes lines until either side ends the session.
async fn talk(
    socket: &mut WebSocket,
    engine: &mut EngineChannels,
    gate: &mut Gate,
    idle: Duration,
) -> End {
    let mut ping = interval(PING);
    let mut heard = Instant::now();
    let mut spoke = Instant::now();
    loop {
        // A page that sends more than the engine reads has to wait until the engine catches up. The engine may be
        // blocked on its output, so its lines are passed on meanwhile.
        let is_full = engine.input.capacity() == 0;
        let has_room = !is_full && gate.has_room();
        tokio::select! {
            line = engine.output.recv() => {
                let Some(line) = line else {
                    return Some((close_code::ERROR, ENDED));
                };
                send(socket, Message::Text(gate.pass_to_page(line).into())).await?;
            }
            room = engine.input.reserve(), if is_full => {
                if room.is_err() {
                    return Some((close_code::ERROR, ENDED));
                }
            }
            message = socket.recv(), if has_room => {
                heard = Instant::now();
                match message?.ok()? {
                    Message::Text(line) if is_line(&line) => {
                        spoke = heard;
                        if engine.input.try_send(gate.pass_to_engine(&line)).is_err() {
                            return Some((close_code::ERROR, ENDED));
                        }
                    }
                    Message::Text(_) | Message::Binary(_) => {
                        return Some((close_code::POLICY, "expected one line in a text frame"));
                    }
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Close(_) => return None,
                }
            }
            _ = ping.tick() => {
                if !has_room {
                    // The page's answers to pings wait behind lines that the engine does not read.
                    heard = Instant::now();
                } else if heard.elapsed() > DEAD {
                    return None;
                }
                if spoke.elapsed() > idle {
                    return Some((close_code::AWAY, "nothing was said for a long time"));
                }
                send(socket, Message::Ping(Vec::new().into())).await?;
            }
        }
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
