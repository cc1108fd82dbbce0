//! The server: the page's files, and a WebSocket for each engine.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::close_code;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use leap_client::{ClientError, EngineCommand};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::assets::{Asset, Entrance, assets_at};
use super::bounds::Bounds;
use super::connections::Connections;
use super::engine::EngineChannels;
use super::files::{Reader, read_games};
use super::gate::Gate;
use super::guard::Hosts;
use super::meeting::{Asker, Caller, Meetings, answer_rules, first_line, talk};
use super::session::{Session, close, come_back};
use super::sessions::{Link, Sessions};
use super::tls::TlsAcceptor;

/// The page loads nothing from elsewhere and cannot be framed.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// How long to wait when no more files can be opened.
const BREATH: Duration = Duration::from_millis(100);
/// How long an engine that is given up may take to end.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

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
    /// How long the engine of a page whose connection is cut goes on.
    pub(super) keep: Duration,
    /// WebSockets of guests at a time.
    pub(super) guests: usize,
    /// Bytes of a message about a game by invitation.
    pub(super) message_bytes: usize,
    /// Bytes of a line from a guest.
    pub(super) guest_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            engines: 16,
            connections: 128,
            // The engine refuses longer lines as well (SPEC 2.2).
            line_bytes: 1 << 20,
            idle: Duration::from_secs(3600),
            keep: Duration::from_secs(120),
            guests: 512,
            message_bytes: 16 << 10,
            guest_bytes: 64 << 10,
        }
    }
}

/// The state shared by all requests.
#[derive(Debug)]
pub(super) struct Server {
    command: EngineCommand,
    limits: Limits,
    bounds: Bounds,
    /// One permit for each engine that may still be started.
    engines: Arc<Semaphore>,
    /// The sessions whose pages may come back.
    sessions: Arc<Sessions>,
    /// The games by invitation, if guests are allowed.
    meetings: Option<Arc<Meetings>>,
    /// One permit for each WebSocket that may still be opened by guests, or to come back.
    guests: Arc<Semaphore>,
}

/// The way by which a request comes in.
#[derive(Debug)]
struct Door {
    server: Arc<Server>,
    hosts: Hosts,
    caller: Caller,
}

impl Server {
    pub(super) fn new(
        command: EngineCommand,
        limits: Limits,
        bounds: Bounds,
        meetings: Option<Arc<Meetings>>,
    ) -> Arc<Self> {
        let engines = Arc::new(Semaphore::new(limits.engines));
        let guests = Arc::new(Semaphore::new(limits.guests));
        let sessions = Arc::new(Sessions::new(limits.keep));
        Arc::new(Self { command, limits, bounds, engines, sessions, meetings, guests })
    }

    /// Serves the people at this machine, forever.
    pub(super) async fn serve(self: Arc<Self>, listener: TcpListener, hosts: Hosts) {
        let most = self.limits.connections;
        let reader = Arc::new(Reader::new(hosts.clone()));
        let door = Arc::new(Door { server: self, hosts, caller: Caller::Owner });
        let router = Router::new()
            .route("/engine", get(connect).post(tell_why))
            .route("/games", post(read_games).with_state(reader));
        accept(listener, Connections::new(most, None), with_page(router, &door)).await;
    }

    /// Serves guests, forever.
    pub(super) async fn serve_guests(
        self: Arc<Self>,
        listener: TcpListener,
        hosts: Hosts,
        tls: Option<TlsAcceptor>,
    ) {
        let most = self.limits.connections;
        let door = Arc::new(Door { server: self, hosts, caller: Caller::Stranger });
        let router = Router::new().route("/engine", get(connect_guest).post(tell_why));
        accept(listener, Connections::new(most, tls), with_page(router, &door)).await;
    }
}

async fn accept(listener: TcpListener, mut connections: Connections, router: Router) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => connections.serve(stream, router.clone()),
            Err(_) => tokio::time::sleep(BREATH).await,
        }
    }
}

/// Adds the page, the way back to a session, and the way to games by invitation.
fn with_page(router: Router<Arc<Door>>, door: &Arc<Door>) -> Router {
    let mut router = router.route("/session", get(reconnect));
    let takes_guests = door.server.meetings.is_some();
    if takes_guests {
        router = router.route("/meeting", get(meet));
    }
    let entrance = match (takes_guests, door.caller) {
        (false, _) => Entrance::Only,
        (true, Caller::Owner) => Entrance::Own,
        (true, Caller::Stranger) => Entrance::Guests,
    };
    for asset in assets_at(entrance) {
        router = router.route(asset.path, get(move || async move { file(asset) }));
    }
    let guard = middleware::from_fn_with_state(Arc::clone(door), guard);
    router.layer(guard).with_state(Arc::clone(door))
}

fn file(asset: Asset) -> Response {
    ([(header::CONTENT_TYPE, asset.content_type)], asset.body).into_response()
}

/// Accepts requests addressed to this server, and sets the security headers.
async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    if door.hosts.known(request.headers()).is_none() {
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
async fn tell_why(State(door): State<Arc<Door>>) -> Response {
    if door.server.engines.available_permits() == 0 && !door.server.sessions.has_waiting() {
        return busy();
    }
    StatusCode::NO_CONTENT.into_response()
}

fn foreign() -> Response {
    (StatusCode::FORBIDDEN, "only the page of this server may connect\n").into_response()
}

/// Why there is no engine for a page.
enum NoEngine {
    Busy,
    Failed(ClientError),
}

impl Server {
    /// Starts an engine, if one may be started. A session that waits for its page makes room.
    async fn start_engine(&self) -> Result<(EngineChannels, OwnedSemaphorePermit), NoEngine> {
        let share = match Arc::clone(&self.engines).try_acquire_owned() {
            Ok(share) => share,
            Err(_) if self.sessions.give_up_one() => {
                let freed = timeout(ENDS_WITHIN, Arc::clone(&self.engines).acquire_owned()).await;
                freed.ok().and_then(Result::ok).ok_or(NoEngine::Busy)?
            }
            Err(_) => return Err(NoEngine::Busy),
        };
        let engine = EngineChannels::start(&self.command).map_err(NoEngine::Failed)?;
        Ok((engine, share))
    }

    /// Connects a page with an engine of its own.
    async fn serve_engine(
        &self,
        engine: (EngineChannels, OwnedSemaphorePermit),
        gate: Gate,
        link: Link,
    ) {
        Session::new(engine, gate, &self.sessions, self.limits.idle).run(link).await;
    }

    /// Connects a guest with an engine of its own, if one is free.
    async fn lend_engine(&self, mut link: Link, gate: Gate) {
        match self.start_engine().await {
            Ok(engine) => self.serve_engine(engine, gate, link).await,
            Err(NoEngine::Busy) => {
                let reason = Some((close_code::AGAIN, "all engines are in use"));
                close(&mut link.socket, reason).await;
            }
            Err(NoEngine::Failed(error)) => {
                log::error!("{error}");
                let reason = Some((close_code::ERROR, "the engine cannot be started"));
                close(&mut link.socket, reason).await;
            }
        }
    }
}

/// Opens a WebSocket and starts its engine.
async fn connect(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = Arc::clone(&door.server);
    if !door.hosts.is_own_page(&headers) {
        return foreign();
    }
    let engine = match server.start_engine().await {
        Ok(engine) => engine,
        Err(NoEngine::Busy) => return busy(),
        Err(NoEngine::Failed(error)) => {
            log::error!("{error}");
            return (StatusCode::BAD_GATEWAY, format!("{error}\n")).into_response();
        }
    };
    let (bytes, gate) = (server.limits.line_bytes, Gate::new(server.bounds));
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        server.serve_engine(engine, gate, Link { socket, _share: None }).await;
    })
}

/// Opens a WebSocket for a guest. Its first line tells what the guest may do.
async fn connect_guest(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = Arc::clone(&door.server);
    let Some(meetings) = server.meetings.clone() else { return busy() };
    let is_foreign = !door.hosts.is_own_page(&headers);
    if is_foreign && !door.hosts.is_lent_to(&headers) {
        return foreign();
    }
    let Ok(share) = Arc::clone(&server.guests).try_acquire_owned() else { return busy() };
    let bytes = server.limits.guest_bytes;
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |mut socket| {
        let asker = first_line(&mut socket, &meetings, is_foreign).await;
        let link = Link { socket, _share: Some(share) };
        match asker {
            Some(Asker::Trusted) => server.lend_engine(link, Gate::new(server.bounds)).await,
            Some(Asker::Searcher(rules)) => {
                server.lend_engine(link, Gate::for_guest(server.bounds, rules)).await;
            }
            Some(Asker::Guest(room)) => answer_rules(link, room, server.limits.idle).await,
            None => {}
        }
    })
}

/// Opens a WebSocket for a page that comes back to its session.
async fn reconnect(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = Arc::clone(&door.server);
    if !(door.hosts.is_own_page(&headers) || door.hosts.is_lent_to(&headers)) {
        return foreign();
    }
    let Ok(share) = Arc::clone(&server.guests).try_acquire_owned() else { return busy() };
    let bytes = match door.caller {
        Caller::Owner => server.limits.line_bytes,
        Caller::Stranger => server.limits.guest_bytes,
    };
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        come_back(Link { socket, _share: Some(share) }, &server.sessions).await;
    })
}

/// Opens a WebSocket for a game by invitation.
async fn meet(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = &door.server;
    let Some(meetings) = server.meetings.clone() else { return busy() };
    if !door.hosts.is_own_page(&headers) {
        return foreign();
    }
    let Ok(permit) = Arc::clone(&server.guests).try_acquire_owned() else { return busy() };
    let (bytes, caller) = (server.limits.message_bytes, door.caller);
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        talk(socket, meetings, caller).await;
        drop(permit);
    })
}
