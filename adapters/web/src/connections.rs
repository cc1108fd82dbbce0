//! The connections of the server. A stalled connection keeps no other one waiting.

use std::net::IpAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::sockets::{Source, makes_room};
use super::tls::TlsAcceptor;

/// Connections at a time at a door, besides open WebSockets. A further connection takes the place of the oldest.
const MOST: usize = 128;
/// The time limit for the head of a request, more than anyone needs.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
/// How long a connection is open for requests. A browser with further requests opens another connection.
const OPEN_FOR: Duration = Duration::from_secs(60);
/// How long the last request and its answer may then take.
const LAST_WITHIN: Duration = Duration::from_secs(30);

/// The connections that are being served, the oldest first. An open WebSocket is no longer among them.
pub(super) struct Connections {
    /// How connections are encrypted, if they are.
    tls: Option<TlsAcceptor>,
    served: Vec<(Source, AbortHandle)>,
}

impl Connections {
    pub(super) fn new(tls: Option<TlsAcceptor>) -> Self {
        Self { tls, served: Vec::new() }
    }

    /// Serves a connection from this address. If there is no room, it takes the place of another one: an honest
    /// connection is soon done. Handlers find the source among the extensions of a request.
    pub(super) fn serve(&mut self, stream: TcpStream, address: IpAddr, router: Router) {
        self.served.retain(|(_, connection)| !connection.is_finished());
        if self.served.len() >= MOST {
            let sources = self.served.iter().map(|(source, _)| *source).enumerate();
            if let Some(at) = makes_room(sources) {
                self.served.remove(at).1.abort();
            }
        }
        let source = Source::new(address);
        let served = match self.tls.clone() {
            None => tokio::spawn(serve(stream, source, router)),
            Some(tls) => tokio::spawn(serve_encrypted(stream, tls, source, router)),
        };
        self.served.push((source, served.abort_handle()));
    }
}

async fn serve(stream: TcpStream, source: Source, router: Router) {
    send_immediately(&stream);
    answer(stream, source, router).await;
}

async fn serve_encrypted(stream: TcpStream, tls: TlsAcceptor, source: Source, router: Router) {
    send_immediately(&stream);
    match timeout(HEAD_WITHIN, tls.accept(stream)).await {
        Ok(Ok(stream)) => answer(stream, source, router).await,
        Ok(Err(error)) => log::debug!("connection: {error}"),
        Err(_) => {}
    }
}

/// Lines are short and interactive. Each must leave before earlier ones are acknowledged.
fn send_immediately(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        log::debug!("connection: {error}");
    }
}

async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    source: Source,
    router: Router,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(source);
        router.call(request)
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .serve_connection(TokioIo::new(stream), service)
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
