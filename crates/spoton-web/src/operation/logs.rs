//! Log lines on standard error: events, but never names or addresses. A path contains an id, and anyone with the id can
//! watch.

use std::panic::PanicHookInfo;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts logging. Dependencies log warnings only: their other lines might contain private data.
pub fn begin(level: LevelFilter) {
    let ours = Targets::new().with_target("spoton_web", level).with_default(level.min(LevelFilter::WARN));
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    tracing_subscriber::registry().with(ours).with(lines).init();
    std::panic::set_hook(Box::new(tell_where));
}

/// Logs where a panic happened but not its message, which may quote user input.
fn tell_where(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!("panic at {place}");
}
