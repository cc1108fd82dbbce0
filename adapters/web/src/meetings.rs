//! The WebSockets of games by invitation: one for the game, one for questions about the rules.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseCode, Message, WebSocket, close_code};
use leap_meeting::{Asker, Caller, Meetings, News, RulesSession, Visitor};
use tokio::time::{Instant, sleep_until, timeout};

use super::allowance::Allowance;
use super::link::{ENTERS_WITHIN, Pinged, Reason, close, is_line};
use super::sockets::{Share, Taken};

/// Another page has taken the place of this one.
const TAKEN: CloseCode = 4001;
/// The link leads to no game.
const UNKNOWN: Reason = Some((4002, "no game goes by this link"));

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
        let Err(end) = serve(&mut visitor, &mut socket, &share).await;
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

async fn serve(
    visitor: &mut Visitor,
    socket: &mut WebSocket,
    share: &Share,
) -> Result<Infallible, Reason> {
    let mut allowance = Allowance::of_messages();
    let mut page = Pinged::new(socket);
    let deadline = Instant::now() + ENTERS_WITHIN;
    loop {
        tokio::select! {
            news = visitor.news() => match news {
                News::State(state) => page.send(&*state).await?,
                News::Taken => return Err(Some((TAKEN, "this game was opened elsewhere"))),
            },
            text = page.text() => {
                let text = text?;
                allowance.spend(text.len()).await;
                let answer = visitor.hear(&text).await;
                if visitor.is_known() {
                    share.keep();
                }
                page.send(answer.text).await?;
                if answer.is_unknown {
                    return Err(UNKNOWN);
                }
            }
            () = sleep_until(deadline), if !visitor.is_known() => {
                return Err(Some((close_code::POLICY, "expected the secret of a link")));
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

/// Answers questions about the rules in place of an engine, line by line, until either side closes.
pub(super) async fn answer_rules(
    socket: &mut WebSocket,
    mut session: RulesSession,
    idle: Duration,
) -> Result<Infallible, Reason> {
    const SILENT: Reason = Some((close_code::AWAY, "nothing was said for a long time"));
    const ENDED: Reason = Some((close_code::ERROR, "the engine has ended"));
    let mut allowance = Allowance::of_lines();
    let mut page = Pinged::new(socket);
    loop {
        let line = timeout(idle, page.text()).await.map_err(|_| SILENT)??;
        if !is_line(&line) {
            return Err(Some((close_code::POLICY, "expected one line in a text frame")));
        }
        allowance.spend(line.len()).await;
        let (answers, took) = session.answer(line.to_string()).await.ok_or(ENDED)?;
        for answer in answers {
            page.send(answer).await?;
        }
        allowance.spend_work(took).await;
        page.has_waited();
    }
}
