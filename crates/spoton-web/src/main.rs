//! The program `spoton-web`: hosts Spot On on the web.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use spoton_web::operation::arguments::Arguments;
use spoton_web::operation::run::run;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.to_string()),
    };
    let ended = runtime.block_on(run(arguments));
    // Solver threads may still be busy; don't wait for them.
    runtime.shutdown_timeout(Duration::from_millis(100));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "spoton-web: {message}");
    ExitCode::FAILURE
}
