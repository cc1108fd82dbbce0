//! `leap web`: the games in a browser.
//!
//! The program serves a page and runs one engine for each page that connects, passing lines between them. The page
//! speaks the protocol itself, and only the engine knows the rules. The page cannot choose which program runs, only
//! what is sent to it; of that, only options are checked and bounded.

mod allowance;
mod assets;
mod bounds;
mod connections;
mod engine;
mod engines;
mod export;
mod files;
mod gate;
mod guard;
mod link;
mod listen;
mod meetings;
mod memory;
mod outbox;
mod server;
mod session;
mod sessions;
mod sockets;
mod static_files;
mod tls;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use leap_base::terminal;
use leap_client::{Client, EngineCommand, engine_or_leapd};
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub use bounds::Bounds;
use server::{Limits, Server};

/// Play in a browser: against an engine, against a friend, or engines against each other.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 ended by Ctrl-C or SIGTERM, 2 could not run.\n\n\
    Example: leap web --port 8080 -- leapd --option Hash=64")]
pub struct WebArgs {
    /// The address to serve. With an address that is not local, others can use this machine's processors.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    pub host: IpAddr,
    /// The port; 0 for any free one.
    #[arg(long, value_name = "N", default_value_t = 8471)]
    pub port: u16,
    /// A further host name under which the page may be requested, for example behind a proxy.
    #[arg(long, value_name = "NAME[:PORT]")]
    pub allow_host: Vec<String>,
    /// Listen for guests too: you invite people at other devices by links. Guests get no engine [default port: 8472].
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = listen::address, conflicts_with = "export")]
    pub listen: Option<SocketAddr>,
    /// The address of this server in links for guests, for example of a proxy: `https://games.example/`
    #[arg(long, value_name = "URL", value_parser = listen::url, requires = "listen")]
    pub guest_url: Option<String>,
    /// Lend the engine to the exported page at this address, by a link with a secret; may be repeated.
    #[arg(long, value_name = "URL", value_parser = listen::plain_url, requires = "listen")]
    pub engine_for: Vec<String>,
    /// The folder of games with guests, which go on after a restart.
    #[arg(long, value_name = "DIR", default_value = "leap-games", requires = "listen")]
    pub games: PathBuf,
    /// The file of the certificates for guests, in PEM: their connections are then encrypted.
    #[arg(long, value_name = "FILE", requires_all = ["listen", "key"])]
    pub cert: Option<PathBuf>,
    /// The file of the certificate's private key, in PEM.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
    /// Do not open a browser.
    #[arg(long)]
    pub no_open: bool,
    /// The most engines at a time; each page has one.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub engines: usize,
    /// Minutes after which the engine of a silent page is ended.
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    pub idle: u64,
    /// Seconds for which the engine of a page goes on when the connection is cut; 0 ends it immediately.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub keep: u64,
    /// Upper bounds of the options that a page may set.
    #[command(flatten)]
    pub bounds: Bounds,
    /// Write the page to a folder instead, with an engine that runs in the browser: any file server can serve it.
    #[arg(long, value_name = "DIR", conflicts_with = "engine")]
    pub export: Option<PathBuf>,
    /// A server whose engine the exported page may use: the address for guests of leap web --engine-for; may be repeated.
    #[arg(long, value_name = "URL", value_parser = listen::plain_url, requires = "export")]
    pub engine_at: Vec<String>,
    /// The folder of that engine, as adapters/wasm/build makes it [default: target/wasm of this build]
    #[arg(long, value_name = "DIR", requires = "export")]
    pub wasm: Option<PathBuf>,
    /// The engine and its arguments; leapd by default.
    #[arg(value_name = "ENGINE", trailing_var_arg = true, allow_hyphen_values = true)]
    pub engine: Vec<String>,
}

fn address(text: &str) -> Result<IpAddr, &'static str> {
    match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        text => text.parse().map_err(|_| "expected an IP address such as 127.0.0.1 or 0.0.0.0"),
    }
}

/// Runs the command until a signal ends it, or exports the page. The exit status is 0.
///
/// # Errors
/// If the address or the folder cannot be used, or there is no engine.
pub fn run(args: WebArgs) -> anyhow::Result<ExitCode> {
    if let Some(site) = &args.export {
        let engine = args.wasm.or_else(export::built).unwrap_or_default();
        export::export(site, &engine, &args.engine_at)?;
        return Ok(ExitCode::SUCCESS);
    }
    let engine = engine_or_leapd(&args.engine)?;
    // Otherwise the first to know of a program that cannot be started would be the page.
    drop(Client::start(&engine, Stdio::null())?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve(args, engine))?;
    // A referee may wait for an engine that hangs.
    leap_client::kill_engines();
    // The threads of the games end with the runtime, when everything is saved.
    drop(runtime);
    Ok(ExitCode::SUCCESS)
}

async fn serve(args: WebArgs, engine: EngineCommand) -> anyhow::Result<()> {
    let asked = SocketAddr::new(args.host, args.port);
    let listener = TcpListener::bind(asked)
        .await
        .with_context(|| format!("cannot serve {asked}; --port 0 takes any port that is free"))?;
    let address = listener.local_addr()?;
    let limits = Limits {
        engines: args.engines,
        idle: Duration::from_secs(args.idle.saturating_mul(60)),
        keep: Duration::from_secs(args.keep),
        bounds: args.bounds,
    };
    let hosts = guard::Hosts::new(address, args.allow_host.clone());
    let url = format!("http://{address}/");
    let guests = match args.listen {
        Some(asked) => Some(listen::open(listen::bind(asked).await?, &args, &engine)?),
        None => None,
    };
    terminal::show(format_args!("{url}\n"))?;
    if let Some(guests) = &guests {
        guests.announce()?;
    }
    if !args.no_open {
        // Without a browser, the printed address has to do. Some browsers are waited for.
        thread::spawn(move || open::that(&url));
    }
    let meetings = guests.as_ref().map(|guests| Arc::clone(&guests.meetings));
    let server = Server::new(engine, limits, meetings);
    let for_guests = async {
        match guests {
            Some(guests) => {
                let listen::Guests { listener, hosts, tls, .. } = guests;
                Arc::clone(&server).serve_guests(listener, hosts, tls).await;
            }
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = Arc::clone(&server).serve(listener, hosts) => {}
        () = for_guests => {}
        ended = asked_to_end() => ended?,
    }
    Ok(())
}

/// Returns at Ctrl-C, Ctrl-\, SIGTERM or when the terminal is closed.
async fn asked_to_end() -> io::Result<()> {
    let asked = Arc::new(Notify::new());
    let ask = Arc::clone(&asked);
    leap_client::signals::handle(move |_| ask.notify_one())?;
    asked.notified().await;
    Ok(())
}
