//! The program `spoton-web`: Spot On on the web, with one command.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use spoton_web::app::app;
use spoton_web::guard::{BaseUrl, Place};
use spoton_web::limits::PAUSE_OF_A_COMPUTER;
use spoton_web::serve::serve;
use spoton_web::store::sqlite::SqliteStore;
use spoton_web::tables::Tables;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Spot On on the web: number duels for two, across a link
#[derive(Parser, Debug)]
#[command(name = "spoton-web", version)]
struct Args {
    /// The address to answer on
    #[arg(long, value_name = "ADDRESS", env = "SPOTON_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// Where everything is kept
    #[arg(long, value_name = "FILE", env = "SPOTON_DATA", default_value = "spoton-web.db")]
    data: PathBuf,

    /// The address that people open, if a proxy stands before this server, such as https://duels.example.org
    #[arg(long, value_name = "URL", env = "SPOTON_BASE_URL")]
    base_url: Option<BaseUrl>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.to_string()),
    };
    match runtime.block_on(run(args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "spoton-web: {message}");
    ExitCode::FAILURE
}

async fn run(args: Args) -> Result<(), String> {
    let store = SqliteStore::open(&args.data).await.map_err(|error| error.to_string())?;
    let store = Arc::new(store);
    let (tables, written) = Tables::open(store.clone(), PAUSE_OF_A_COMPUTER);
    let listener = TcpListener::bind(args.listen)
        .await
        .map_err(|error| format!("cannot answer on {}: {error}", args.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let place = Place { base_url: args.base_url, names: Arc::default() };
    let (stop, stopped) = watch::channel(false);
    let sweeping = tokio::spawn(tables.clone().sweep(stopped.clone()));
    let serving = tokio::spawn(serve(listener, app(tables.clone(), place), stopped));
    // The first line is for whoever started this: the address to open.
    let mut out = std::io::stdout();
    writeln!(out, "http://{address}/").and_then(|()| out.flush()).map_err(|error| error.to_string())?;
    wait_for_the_end().await?;
    let _ = stop.send(true);
    tables.thinking.end();
    tables.live.end();
    let _ = serving.await;
    let _ = sweeping.await;
    // When nobody can ask any more, what was asked is written.
    drop(tables);
    let _ = written.await;
    store.close().await;
    Ok(())
}

async fn wait_for_the_end() -> Result<(), String> {
    let signals = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let mut told = Vec::new();
    for kind in signals {
        told.push(signal(kind).map_err(|error| format!("cannot watch for signals: {error}"))?);
    }
    let [terminate, interrupt, hangup] = &mut told[..] else { return Ok(()) };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
    Ok(())
}
