//! The server: the page's files, and a WebSocket for each engine.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::ws::{WebSocket, close_code};
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use data_encoding::BASE64;
use leap_client::{ClientError, EngineCommand};
use leap_meeting::{Asker, Caller, Meetings, report};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::assets::{Entrance, FirstBoard, assets_at, inline_script};
use super::bounds::Bounds;
use super::connections::Connections;
use super::engine::Engine;
use super::engines::{EngineShare, Engines, User};
use super::files::{Reader, read_games};
use super::gate::Gate;
use super::guard::Hosts;
use super::link::{Link, close};
use super::meetings::{answer_rules, first_line, talk};
use super::session::{Session, come_back};
use super::sessions::Sessions;
use super::sockets::{Share, Sockets, Source, Taken};
use super::static_files::StaticFile;
use super::tls::TlsAcceptor;

/// The page loads nothing from elsewhere and cannot be framed. It runs one inline script, which its hash names.
pub(super) static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = BASE64.encode(&Sha256::digest(inline_script()));
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{hash}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});
/// How long to wait when no more files can be opened.
const BREATH: Duration = Duration::from_millis(100);
/// How long an engine that is given up may take to end.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// WebSockets at a time by which people at this machine play with guests, or come back; and those of guests.
const OWN_SOCKETS: usize = 128;
const GUEST_SOCKETS: usize = 512;
/// Bytes of a line from the page. The engine refuses longer lines as well (SPEC 2.2).
const LINE_BYTES: usize = 1 << 20;
/// Bytes of a line from a guest, and of a message about a game by invitation.
const GUEST_BYTES: usize = 64 << 10;
const MESSAGE_BYTES: usize = 16 << 10;

/// Limits that the command line sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Engines at a time.
    pub(super) engines: usize,
    /// How long a page may be silent.
    pub(super) idle: Duration,
    /// How long the engine of a page whose connection is cut goes on.
    pub(super) keep: Duration,
    /// Upper bounds of the options that a page may set.
    pub(super) bounds: Bounds,
}

/// The state shared by all requests.
#[derive(Debug)]
pub(super) struct Server {
    command: EngineCommand,
    limits: Limits,
    engines: Arc<Engines>,
    /// The sessions whose pages may come back.
    sessions: Arc<Sessions>,
    /// The games by invitation, if guests are allowed.
    meetings: Option<Arc<Meetings>>,
}

/// The way by which a request comes in.
#[derive(Debug)]
struct Door {
    server: Arc<Server>,
    hosts: Hosts,
    caller: Caller,
    /// The WebSockets that came in here. Each door has its own, so that guests never shut out the host.
    sockets: Arc<Sockets>,
}

impl Server {
    pub(super) fn new(
        command: EngineCommand,
        limits: Limits,
        meetings: Option<Arc<Meetings>>,
    ) -> Arc<Self> {
        let engines = Engines::new(limits.engines);
        let sessions = Arc::new(Sessions::new(limits.keep));
        Arc::new(Self { command, limits, engines, sessions, meetings })
    }

    /// Serves the people at this machine, forever.
    pub(super) async fn serve(self: Arc<Self>, listener: TcpListener, hosts: Hosts) {
        let reader = Arc::new(Reader::new(hosts.clone()));
        let sockets = Sockets::new(OWN_SOCKETS);
        let door = Arc::new(Door { server: self, hosts, caller: Caller::Owner, sockets });
        let router = Router::new()
            .route("/engine", get(connect).post(tell_why))
            .route("/games", post(read_games).with_state(reader));
        accept(listener, Connections::new(None), with_page(router, &door)).await;
    }

    /// Serves guests, forever.
    pub(super) async fn serve_guests(
        self: Arc<Self>,
        listener: TcpListener,
        hosts: Hosts,
        tls: Option<TlsAcceptor>,
    ) {
        let sockets = Sockets::new(GUEST_SOCKETS);
        let door = Arc::new(Door { server: self, hosts, caller: Caller::Stranger, sockets });
        let router = Router::new().route("/engine", get(connect_guest).post(tell_why));
        accept(listener, Connections::new(tls), with_page(router, &door)).await;
    }
}

async fn accept(listener: TcpListener, mut connections: Connections, router: Router) {
    loop {
        match listener.accept().await {
            Ok((stream, from)) => connections.serve(stream, from.ip(), router.clone()),
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
    for asset in assets_at(entrance, FirstBoard::of(&door.server.command)) {
        let (path, file) = (format!("/{}", asset.path), Arc::new(StaticFile::new(asset)));
        let answer = async move |headers: HeaderMap| {
            let answered = spawn_blocking(move || file.answer(&headers)).await;
            answered.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
        };
        router = router.route(&path, get(answer));
    }
    let guard = middleware::from_fn_with_state(Arc::clone(door), guard);
    router.layer(guard).with_state(Arc::clone(door))
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
        (header::CONTENT_SECURITY_POLICY, POLICY.as_str()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // Asks each time: after an update of the program, kept files would be stale.
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

fn crowded() -> Response {
    let message = "too many connections are open; try again\n";
    (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
}

/// Tells a page whether all engines are in use. The scripts of a page cannot see why a WebSocket is refused.
async fn tell_why(State(door): State<Arc<Door>>) -> Response {
    if door.server.engines.are_taken() && !door.server.sessions.has_waiting() {
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
    /// Starts an engine, if this user may have one. A session that waits for its page makes room.
    async fn start_engine(&self, user: &User) -> Result<(Engine, EngineShare), NoEngine> {
        let share = match self.engines.take(user) {
            Some(share) => share,
            None if self.sessions.give_up_one(user) => {
                let freed = timeout(ENDS_WITHIN, self.engines.wait(user)).await;
                freed.map_err(|_| NoEngine::Busy)?
            }
            None => return Err(NoEngine::Busy),
        };
        let engine = Engine::start(self.command.clone()).await;
        Ok((engine.map_err(NoEngine::Failed)?, share))
    }

    /// Connects a page with an engine of its own.
    async fn serve_engine(&self, engine: (Engine, EngineShare), gate: Gate, link: Link) {
        Session::new(engine, gate, &self.sessions, self.limits.idle).run(link).await;
    }

    /// Connects a user who is not at this machine with an engine of its own, if one is free.
    async fn lend_engine(&self, mut link: Link, gate: Gate, user: User) {
        match self.start_engine(&user).await {
            Ok(engine) => self.serve_engine(engine, gate, link).await,
            Err(NoEngine::Busy) => {
                let reason = Some((close_code::AGAIN, "all engines are in use"));
                close(&mut link.socket, reason).await;
            }
            Err(NoEngine::Failed(error)) => {
                report(error.to_string());
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
    let engine = match server.start_engine(&User::Trusted).await {
        Ok(engine) => engine,
        Err(NoEngine::Busy) => return busy(),
        Err(NoEngine::Failed(error)) => {
            report(error.to_string());
            return (StatusCode::BAD_GATEWAY, format!("{error}\n")).into_response();
        }
    };
    let (bytes, gate) = (LINE_BYTES, Gate::new(server.limits.bounds));
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        server.serve_engine(engine, gate, Link { socket, share: None }).await;
    })
}

/// Waits for something on a WebSocket that has shown no secret yet; `None` if it must make room for another one.
async fn unless_taken<T>(taken: Taken, wait: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = wait => Some(done),
        Ok(()) = taken => None,
    }
}

/// Opens a WebSocket for a guest. Its first line tells what the guest may do.
async fn connect_guest(
    State(door): State<Arc<Door>>,
    Extension(source): Extension<Source>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = Arc::clone(&door.server);
    let Some(meetings) = server.meetings.clone() else { return busy() };
    let is_foreign = !door.hosts.is_own_page(&headers);
    if is_foreign && !door.hosts.is_lent_to(&headers) {
        return foreign();
    }
    let Some((share, taken)) = door.sockets.open(source) else { return crowded() };
    let upgrade = upgrade.max_message_size(GUEST_BYTES).max_frame_size(GUEST_BYTES);
    upgrade.on_upgrade(async move |mut socket| {
        let first = async {
            let asker = first_line(&mut socket, &meetings, is_foreign).await;
            if asker.is_some() {
                share.keep();
            }
            asker
        };
        let Some(Some(asker)) = unless_taken(taken, first).await else { return };
        server.serve_guest(asker, socket, share).await;
    })
}

impl Server {
    async fn serve_guest(&self, asker: Asker, socket: WebSocket, share: Share) {
        let mut link = Link { socket, share: Some(share) };
        match asker {
            Asker::Trusted => {
                self.lend_engine(link, Gate::new(self.limits.bounds), User::Trusted).await;
            }
            Asker::Searcher { rules, meeting, seat } => {
                let gate = Gate::for_guest(self.limits.bounds, rules);
                self.lend_engine(link, gate, User::Guest { meeting, seat }).await;
            }
            Asker::Guest(session) => {
                let Err(end) = answer_rules(&mut link.socket, session, self.limits.idle).await;
                close(&mut link.socket, end).await;
            }
            Asker::Crowded => {
                let reason = Some((close_code::AGAIN, "too many pages ask"));
                close(&mut link.socket, reason).await;
            }
        }
    }
}

/// Opens a WebSocket for a page that comes back to its session.
async fn reconnect(
    State(door): State<Arc<Door>>,
    Extension(source): Extension<Source>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = Arc::clone(&door.server);
    if !(door.hosts.is_own_page(&headers) || door.hosts.is_lent_to(&headers)) {
        return foreign();
    }
    let Some((share, taken)) = door.sockets.open(source) else { return crowded() };
    let bytes = match door.caller {
        Caller::Owner => LINE_BYTES,
        Caller::Stranger => GUEST_BYTES,
    };
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        let link = Link { socket, share: Some(share) };
        unless_taken(taken, come_back(link, &server.sessions)).await;
    })
}

/// Opens a WebSocket for a game by invitation.
async fn meet(
    State(door): State<Arc<Door>>,
    Extension(source): Extension<Source>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let server = &door.server;
    let Some(meetings) = server.meetings.clone() else { return busy() };
    if !door.hosts.is_own_page(&headers) {
        return foreign();
    }
    let Some((share, taken)) = door.sockets.open(source) else { return crowded() };
    let (bytes, caller) = (MESSAGE_BYTES, door.caller);
    upgrade.max_message_size(bytes).max_frame_size(bytes).on_upgrade(async move |socket| {
        talk(socket, meetings, caller, (share, taken)).await;
    })
}
