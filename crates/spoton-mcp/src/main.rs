//! The program `spoton-mcp`: Spot On for language models, over the Model Context Protocol.
//!
//! Standard output carries only protocol messages. Messages for people go to standard error. The server computes no
//! rules, values or sentences: it runs the library's sittings and reports their results.
//!
//! | file | contents |
//! |---|---|
//! | `lines.rs`, `http.rs` | the transports: lines, with everything but messages filtered out; HTTP without sessions |
//! | `server.rs`, `state.rs`, `rules.rs` | the protocol's requests; the state that all tools share; the rules of a game |
//! | `tools/`, `arguments.rs`, `answer.rs` | the tools, one file each; shared arguments; answers and errors |
//! | `table.rs`, `rounds.rs` | a sitting against a computer; all rounds by id. Only one round without hints at a time |
//! | `exam.rs` | a grading server's exam, set by its host |
//! | `server/library.rs` | rules, records and the exam as resources and prompts |
//! | `thinking.rs`, `limits.rs` | solver jobs in the queues of `spoton-host`; every limit by name |

mod answer;
mod arguments;
mod exam;
mod http;
mod limits;
mod lines;
mod rounds;
mod rules;
mod server;
mod state;
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
/// A client starts it, talks to it over standard input and output, and ends it by closing them.
#[derive(Debug, Parser)]
#[command(name = "spoton-mcp", version)]
struct Arguments {
    /// Serve HTTP at http://127.0.0.1:PORT/mcp instead (0: any free port)
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
    // Doesn't wait for solver jobs or reads in progress.
    runtime.shutdown_timeout(Duration::from_millis(100));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

async fn run(arguments: Arguments) -> Result<(), String> {
    // Standard input has exactly one client. HTTP may have many, and can't identify them.
    let exam = Exam::from_arguments(&arguments.exam, tools::fingerprint(true))?;
    let house = House { is_graded: exam.is_some(), is_shared: arguments.http.is_some() };
    let server = Server::new(house, exam);
    if let Some(port) = arguments.http {
        let cannot_listen = |error| format!("can't listen on port {port}: {error}");
        let (listener, port) = http::listen(port).await.map_err(cannot_listen)?;
        tell(&format!("listening at http://127.0.0.1:{port}{}", http::PATH));
        return http::serve(listener, port, server).await.map_err(|error| error.to_string());
    }
    if std::io::stdin().is_terminal() {
        tell("this is a server for the Model Context Protocol; let a client start it (see docs/mcp.md)");
    }
    let lines = Lines::new(BufReader::new(tokio::io::stdin()), tokio::io::stdout());
    let running = match server.serve(lines).await {
        Ok(running) => running,
        // A client that leaves before its first request ends the server normally.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    running.waiting().await.map_err(|error| error.to_string())?;
    Ok(())
}

/// Prints a message for people. Ignores a closed standard error.
fn tell(message: &str) {
    let _ = writeln!(std::io::stderr(), "spoton-mcp: {message}");
}

fn fail(message: &str) -> ExitCode {
    tell(message);
    ExitCode::FAILURE
}
