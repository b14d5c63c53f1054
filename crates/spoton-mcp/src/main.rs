//! The program `spoton-mcp`: Spot On for language models, over the Model Context Protocol.
//!
//! Standard output has only protocol messages. Messages for people go to standard error. The server computes no rule,
//! value or sentence: it runs sittings of the library and reports what the library says.
//!
//! | file | contents |
//! |---|---|
//! | `lines.rs`, `http.rs` | the transports: lines, with everything but messages filtered out; HTTP without sessions |
//! | `server.rs` | the tools and the protocol's other requests |
//! | `tools.rs`, `asked.rs`, `answer.rs` | tool descriptions; their arguments; their answers and refusals |
//! | `table.rs`, `rounds.rs` | a sitting against a computer; all rounds by id. A round without hints runs alone |
//! | `exam.rs` | the exam of a grading server, set by its host |
//! | `library.rs` | rules, records and the exam as resources and prompts |
//! | `thinking.rs`, `limits.rs` | solver jobs off the request threads; every limit by name |
//!
//! `spoton-web` has similar solver jobs, but the two share only a flag and a clock, which the library can't have. Their
//! queues differ.

mod answer;
mod asked;
mod exam;
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

use crate::exam::{Exam, ExamArguments};
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
    #[command(flatten)]
    exam: ExamArguments,
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
    let exam = Exam::of(&arguments.exam)?;
    let house = House { is_graded: exam.is_some(), is_shared: arguments.http.is_some() };
    let server = Server::new(house, exam);
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
