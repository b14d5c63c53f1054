//! The program `spoton-mcp`: Spot On for language models, over the Model Context Protocol.
//!
//! Standard output is the protocol and nothing else; what there is to say to people goes to standard error.

mod answer;
mod asked;
mod http;
mod library;
mod limits;
mod lines;
mod rounds;
mod server;
mod table;
mod thinking;
mod tools;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::BufReader;

use crate::lines::Lines;
use crate::rounds::House;
use crate::server::Server;

/// Number duels for language models, over the Model Context Protocol.
///
/// It is started by a client, speaks on standard input and output, and ends when the client closes them.
#[derive(Debug, Parser)]
#[command(name = "spoton-mcp", version)]
struct Arguments {
    /// Answer over HTTP on this machine instead, at http://127.0.0.1:PORT/mcp; 0 is any free port
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8765")]
    http: Option<u16>,
    /// No hints and no taking back in any round, whatever is asked for: for grading a player
    #[arg(long)]
    graded: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.to_string()),
    };
    let ended = runtime.block_on(run(arguments));
    // Nobody waits for what is still thought about, or read.
    runtime.shutdown_timeout(Duration::from_millis(100));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

async fn run(arguments: Arguments) -> Result<(), String> {
    // Over lines there is one client; over HTTP nobody can tell how many there are.
    let house = House { is_graded: arguments.graded, is_shared: arguments.http.is_some() };
    let server = Server::new(house);
    if let Some(port) = arguments.http {
        let cannot_listen = |error| format!("cannot listen on port {port}: {error}");
        let (listener, port) = http::listen(port).await.map_err(cannot_listen)?;
        tell(&format!("listening at http://127.0.0.1:{port}{}", http::PATH));
        return http::serve(listener, port, server).await.map_err(|error| error.to_string());
    }
    if std::io::stdin().is_terminal() {
        tell(
            "this speaks the Model Context Protocol, and is meant to be started by a client; docs/mcp.md tells how",
        );
    }
    let lines = Lines::new(BufReader::new(tokio::io::stdin()), tokio::io::stdout());
    let running = match server.serve(lines).await {
        Ok(running) => running,
        // A client that goes before it has asked for anything has gone all the same.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    running.waiting().await.map_err(|error| error.to_string())?;
    Ok(())
}

/// Says something to people. If nobody listens, nobody has to know.
fn tell(message: &str) {
    let _ = writeln!(std::io::stderr(), "spoton-mcp: {message}");
}

fn fail(message: &str) -> ExitCode {
    tell(message);
    ExitCode::FAILURE
}
