//! The server: the page's files, and a WebSocket for each engine.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use leap_client::EngineCommand;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::assets::{Asset, assets};
use super::bounds::Bounds;
use super::connections::Connections;
use super::engine::EngineChannels;
use super::files::{Reader, read_games};
use super::gate::Gate;
use super::guard::Hosts;
use super::session;

/// The page loads nothing from elsewhere and cannot be framed.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// How long to wait when no more files can be opened.
const BREATH: Duration = Duration::from_millis(100);

/// Limits of the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Engines at a time.
    pub(super) engines: usize,
    /// Connections at a time, besides open WebSockets. A further connection takes the place of the oldest.
    pub(super) connections: usize,
    /// Bytes of a line from the page.
    pub(super) line_bytes: usize,
    /// How long a page may be silent.
    pub(super) idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            engines: 16,
            connections: 128,
            // The engine refuses longer lines as well (SPEC 2.2).
            line_bytes: 1 << 20,
            idle: Duration::from_secs(3600),
        }
    }
}

/// The state shared by all requests.
#[derive(Debug)]
pub(super) struct Server {
    command: EngineCommand,
    hosts: Hosts,
    limits: Limits,
    bounds: Bounds,
    /// One permit for each engine that may still be started.
    engines: Arc<Semaphore>,
}

impl Server {
    pub(super) fn new(
        command: EngineCommand,
        hosts: Hosts,
        limits: Limits,
        bounds: Bounds,
    ) -> Self {
        let engines = Arc::new(Semaphore::new(limits.engines));
        Self { command, hosts, limits, bounds, engines }
    }

    /// Serves forever.
    pub(super) async fn serve(self, listener: TcpListener) {
        let mut connections = Connections::new(self.limits.connections);
        let router = self.router();
        loop {
            match listener.accept().await {
                Ok((stream, _)) => connections.serve(stream, router.clone()),
                Err(_) => tokio::time::sleep(BREATH).await,
            }
        }
    }

    fn router(self) -> Router {
        let server = Arc::new(self);
        let reader = Arc::new(Reader::new(server.hosts.clone()));
        let mut router = Router::new()
            .route("/engine", get(connect).post(tell_why))
            .route("/games", post(read_games).with_state(reader));
        for asset in assets() {
            router = router.route(asset.path, get(move || async move { file(asset) }));
        }
        router.layer(middleware::from_fn_with_state(Arc::clone(&server), guard)).with_state(server)
    }
}

fn file(asset: Asset) -> Response {
    ([(header::CONTENT_TYPE, asset.content_type)], asset.body).into_response()
}

/// Accepts requests addressed to this server, and sets the security headers.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    if server.hosts.known(request.headers()).is_none() {
        let message = "this server does not go by that name; see leap web --allow-host\n";
        return (StatusCode::MISDIRECTED_REQUEST, message).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // After an update of the program, cached files would be stale.
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn busy() -> Response {
    let message = "all engines are in use; close a page, or see leap web --engines\n";
    (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
}

/// Tells a page whether all engines are in use. The scripts of a page cannot see why a WebSocket is refused.
async fn tell_why(State(server): State<Arc<Server>>) -> Response {
    if server.engines.available_permits() == 0 {
        return busy();
    }
    StatusCode::NO_CONTENT.into_response()
}

/// Opens a WebSocket and starts its engine.
async fn connect(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !server.hosts.is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "only the page of this server may connect\n")
            .into_response();
    }
    let Ok(permit) = Arc::clone(&server.engines).try_acquire_owned() else { return busy() };
    let engine = match EngineChannels::start(&server.command) {
        Ok(engine) => engine,
        Err(error) => {
            log::error!("{error}");
            return (StatusCode::BAD_GATEWAY, format!("{error}\n")).into_response();
        }
    };
    let bytes = server.limits.line_bytes;
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        session::run(socket, engine, Gate::new(server.bounds), server.limits.idle).await;
        drop(permit);
    })
}
