//! Startup and shutdown.

use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::admin::admin;
use super::arguments::{Arguments, Command, Data, Removable};
use super::data::{self, Opened};
use super::tidying::tidy_now_and_then;
use super::{lan, logs};
use crate::app::app;
use crate::limits::{CONNECTIONS_OF_ADMIN, MOST_AT_THE_DOOR, OTHER_DESCRIPTORS, TIME_TO_WRITE};
use crate::place::Place;
use crate::serve::{Connections, serve};
use crate::store::sqlite::{FileLost, backup};
use crate::store::{Store, Unavailable};
use crate::tables::Tables;

/// PostgreSQL has its own backup.
const NO_BACKUP: &str = "backup copies only database files. For PostgreSQL use pg_dump, such as: \
    pg_dump --format=custom --file=spoton.dump --dbname=postgres://user@host/name";

/// Runs the command line.
///
/// # Errors
///
/// Returns a sentence for the user.
pub async fn run(arguments: Arguments) -> Result<(), String> {
    match &arguments.command {
        Some(Command::Backup { file }) => {
            let from = match &arguments.data {
                Data::File(from) => from,
                Data::Postgres(_) => return Err(NO_BACKUP.to_owned()),
            };
            // Opening a missing file would create it, and an empty copy looks like a backup.
            if !from.exists() {
                return Err(format!("no database to copy at {}; choose one with --data", from.display()));
            }
            backup(from, file).await.map_err(|error| error.to_string())?;
            say(&format!("Copied {} to {}", from.display(), file.display()))
        }
        Some(Command::MoveData { from, to }) => {
            data::move_data(from, to, arguments.unsafe_database, |line| drop(say(&line))).await
        }
        Some(Command::Remove { id }) => {
            let opened = Opened::existing(&arguments).await?;
            let removed = remove(&*opened.store(), id).await;
            opened.close().await;
            match removed.map_err(|error| error.to_string())? {
                Some(what) => say(&format!("Removed the {what}.")),
                None => Err("no such round or rule book".to_owned()),
            }
        }
        None => {
            logs::begin(arguments.log);
            answer(arguments).await
        }
    }
}

/// Removes the round or rule book with this id and returns which kind it was.
async fn remove(store: &dyn Store, id: &Removable) -> Result<Option<&'static str>, Unavailable> {
    if let Some(sitting) = id.as_sitting()
        && store.remove(sitting).await?
    {
        return Ok(Some("round"));
    }
    match id.as_book() {
        Some(short) => Ok(store.remove_book(short).await?.then_some("rule book")),
        None => Ok(None),
    }
}

fn say(line: &str) -> Result<(), String> {
    let mut out = std::io::stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| error.to_string())
}

fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), String> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("{address} is already in use, maybe by another spoton-web; choose another with --listen")
        }
        _ => format!("can't listen on {address}: {error}"),
    };
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Allows a restart right after a shutdown.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(MOST_AT_THE_DOOR)
    };
    let listener = listen().map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

async fn answer(arguments: Arguments) -> Result<(), String> {
    let descriptors = raise_file_limit();
    let most_connections = descriptors.saturating_sub(OTHER_DESCRIPTORS);
    let limits = arguments.limits().within(most_connections);
    // Before any output, so no signal sent right after it is missed.
    let told_to_end = Signals::watch()?;
    let opened = Opened::for_server(&arguments).await?;
    let pause = Duration::from_millis(arguments.computer_pause);
    let (tables, written) = Tables::open_with(opened.store(), pause, limits.clone());
    tables.read_time().await.map_err(|error| error.to_string())?;
    let wanted = match arguments.lan {
        true => SocketAddr::from((Ipv4Addr::UNSPECIFIED, arguments.listen.port())),
        false => arguments.listen,
    };
    let (listener, address) = bind(wanted)?;
    let (admin_listener, admin_address) = bind(arguments.admin_listen)?;
    let place = Place {
        base_url: arguments.base_url.clone(),
        names: Arc::new(lan::names()),
        proxies: Arc::new(arguments.trust_proxy.clone()),
    };
    let connections = Connections::new(&limits, Arc::clone(&place.proxies), most_connections);
    // The admin port has its own connections, so monitoring works when the server is full.
    let admin_connections = Connections::new(&limits, Arc::default(), CONNECTIONS_OF_ADMIN);
    let (stop, stopped) = watch::channel(false);
    let (leave, leaving) = watch::channel(false);
    let in_touch = tokio::spawn(tables.clone().keep_in_touch(leaving));
    let helpers = [
        tokio::spawn(tables.clone().sweep(stopped.clone())),
        tokio::spawn(tidy_now_and_then(tables.clone(), stopped.clone())),
        tokio::spawn(serve(
            admin_listener,
            admin(tables.clone()),
            limits.clone(),
            admin_connections,
            stopped.clone(),
        )),
    ];
    let serving = tokio::spawn(serve(listener, app(tables.clone(), place), limits, connections, stopped));
    opened.announce(&format!("http://{address}/"));
    tell_where(&arguments, address)?;
    tracing::info!("spoton-web {} started", env!("CARGO_PKG_VERSION"));
    tracing::info!("health and metrics: http://{admin_address}/healthz /readyz /metrics");
    let lost = tokio::select! {
        () = told_to_end.wait() => None,
        lost = opened.lost() => Some(lost),
    };
    match &lost {
        None => tracing::info!("shutting down"),
        Some(_) => tracing::error!("a file of the database was deleted, replaced or truncated"),
    }
    let _ = stop.send(true);
    tables.thinking.end();
    tables.live.end();
    let _ = serving.await;
    for helper in helpers {
        let _ = helper.await;
    }
    // The others still hear of the last moves.
    let _ = leave.send(true);
    let _ = in_touch.await;
    // The writer ends after its last sender is dropped.
    drop(tables);
    if tokio::time::timeout(TIME_TO_WRITE, written).await.is_err() {
        tracing::warn!("some requests were still running at shutdown");
    }
    if let Some(FileLost(path)) = lost {
        // Closing them would delete files by name, and those may belong to another server now.
        std::mem::forget(opened);
        return Err(format!(
            "{} was deleted, replaced or truncated while the server was running. The server refused all later moves. Put the \
             file back or restore a backup, then start again",
            path.display()
        ));
    }
    opened.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Prints the address to open as the first line.
fn tell_where(arguments: &Arguments, address: SocketAddr) -> Result<(), String> {
    let (first, others) = match arguments.lan {
        true => {
            let mut all = lan::addresses().into_iter().map(IpAddr::from);
            (all.next().unwrap_or(Ipv4Addr::LOCALHOST.into()), all.collect())
        }
        // Clients can't open the unspecified address.
        false if address.ip().is_unspecified() => (Ipv4Addr::LOCALHOST.into(), vec![]),
        false => (address.ip(), vec![]),
    };
    let url = match &arguments.base_url {
        Some(base) => base.to_string(),
        None => format!("http://{}/", SocketAddr::new(first, address.port())),
    };
    say(&url)?;
    match arguments.lan {
        true => say(&lan::help(&url, &others, address.port())),
        false => Ok(()),
    }
}

/// Raises the limit on open files to its maximum and returns it: every connection needs one.
fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!("can't raise the limit of open files above {:?}: {error}", limit.current);
    }
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX))
}

/// The signals that shut down the server.
struct Signals([Signal; 3]);

impl Signals {
    fn watch() -> Result<Signals, String> {
        let watch = |kind| signal(kind).map_err(|error| format!("can't set up signal handlers: {error}"));
        Ok(Signals([
            watch(SignalKind::terminate())?,
            watch(SignalKind::interrupt())?,
            watch(SignalKind::hangup())?,
        ]))
    }

    async fn wait(self) {
        let Signals([mut terminate, mut interrupt, mut hangup]) = self;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
