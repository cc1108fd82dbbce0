//! The WebSockets of games by invitation: one for the game, one for questions about the rules.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseCode, Message, WebSocket, close_code};
use leap_meeting::{Asker, Caller, Meetings, News, RulesSession, Visitor};
use tokio::time::{Instant, interval, timeout};

use super::allowance::Allowance;
use super::link::{DEAD, ENTERS_WITHIN, PING, Reason as End, close, is_line, send};
use super::sockets::{Share, Taken};

/// Another page has taken the place of this one.
const TAKEN: CloseCode = 4001;
/// The link leads to no game.
const UNKNOWN: End = Some((4002, "no game goes by this link"));

/// Speaks with a page about its game until either side closes. A page without a right secret is left when another one
/// needs its place.
pub(super) async fn talk(
    mut socket: WebSocket,
    meetings: Arc<Meetings>,
    caller: Caller,
    (share, taken): (Share, Taken),
) {
    let mut visitor = Visitor::new(meetings, caller);
    let served = async {
        let end = serve(&mut visitor, &mut socket, &share).await;
        visitor.leave().await;
        close(&mut socket, end).await;
    };
    tokio::select! {
        biased;
        () = served => {}
        Ok(()) = taken => {}
    }
    visitor.leave().await;
}

async fn serve(visitor: &mut Visitor, socket: &mut WebSocket, share: &Share) -> End {
    let mut allowance = Allowance::of_messages();
    let mut ping = interval(PING);
    let mut heard = Instant::now();
    let begun = heard;
    loop {
        tokio::select! {
            news = visitor.news() => match news {
                News::State(state) => send(socket, Message::Text((&*state).into())).await?,
                News::Taken => return Some((TAKEN, "this game was opened elsewhere")),
            },
            message = socket.recv() => {
                heard = Instant::now();
                match message?.ok()? {
                    Message::Text(text) => {
                        allowance.spend(text.len()).await;
                        let answer = visitor.hear(&text).await;
                        if visitor.is_known() {
                            share.keep();
                        }
                        send(socket, Message::Text(answer.text.into())).await?;
                        if answer.is_unknown {
                            return UNKNOWN;
                        }
                    }
                    Message::Binary(_) => return Some((close_code::POLICY, "expected text frames")),
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Close(_) => return None,
                }
            }
            _ = ping.tick() => {
                if !visitor.is_known() && begun.elapsed() > ENTERS_WITHIN {
                    return Some((close_code::POLICY, "expected the secret of a link"));
                }
                if heard.elapsed() > DEAD {
                    return None;
                }
                send(socket, Message::Ping(Vec::new().into())).await?;
            }
        }
    }
}

/// Reads the first line of a connection, and finds out who asks. A connection that may not ask is closed.
pub(super) async fn first_line(
    socket: &mut WebSocket,
    meetings: &Meetings,
    is_foreign: bool,
) -> Option<Asker> {
    let asker = match timeout(ENTERS_WITHIN, socket.recv()).await {
        Ok(Some(Ok(Message::Text(line)))) => meetings.asker(&line, is_foreign).await,
        _ => None,
    };
    if asker.is_none() {
        close(socket, UNKNOWN).await;
    }
    asker
}

/// Answers questions about the rules in place of an engine, line by line.
pub(super) async fn answer_rules(
    socket: &mut WebSocket,
    mut session: RulesSession,
    idle: Duration,
) -> End {
    let mut allowance = Allowance::of_lines();
    let mut ping = interval(PING);
    let mut heard = Instant::now();
    let mut spoke = heard;
    loop {
        tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message?.ok()? {
                    Message::Text(line) if is_line(&line) => {
                        spoke = heard;
                        allowance.spend(line.len()).await;
                        let Some((answers, took)) = session.answer(line.to_string()).await else {
                            return Some((close_code::ERROR, "the engine has ended"));
                        };
                        for answer in answers {
                            send(socket, Message::Text(answer.into())).await?;
                        }
                        allowance.spend_work(took).await;
                        // The page's pongs have waited too.
                        heard = Instant::now();
                    }
                    Message::Text(_) | Message::Binary(_) => {
                        return Some((close_code::POLICY, "expected one line in a text frame"));
                    }
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Close(_) => return None,
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > DEAD {
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
