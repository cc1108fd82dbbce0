//! The connections of the server. A stalled connection keeps no other one waiting.

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// The time limit for the head of a request, more than anyone needs.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
/// How long a connection is open for requests. A browser with further requests opens another connection.
const OPEN_FOR: Duration = Duration::from_secs(60);
/// How long the last request and its answer may then take.
const LAST_WITHIN: Duration = Duration::from_secs(30);

/// The connections that are being served, the oldest first. An open WebSocket is no longer among them.
#[derive(Debug)]
pub(super) struct Connections {
    most: usize,
    served: VecDeque<AbortHandle>,
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Self { most, served: VecDeque::new() }
    }

    /// Serves a connection. If there is no room, it takes the place of the oldest one: an honest connection is soon
    /// done.
    pub(super) fn serve(&mut self, stream: TcpStream, router: Router) {
        self.served.retain(|connection| !connection.is_finished());
        if self.served.len() >= self.most
            && let Some(oldest) = self.served.pop_front()
        {
            oldest.abort();
        }
        self.served.push_back(tokio::spawn(serve(stream, router)).abort_handle());
    }
}

async fn serve(stream: TcpStream, router: Router) {
    // Lines are short and interactive. Each must leave before earlier ones are acknowledged.
    if let Err(error) = stream.set_nodelay(true) {
        log::debug!("connection: {error}");
    }
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    let served = tokio::select! {
        served = &mut connection => served,
        () = sleep(OPEN_FOR) => {
            connection.as_mut().graceful_shutdown();
            timeout(LAST_WITHIN, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = served {
        log::debug!("connection: {error}");
    }
}
