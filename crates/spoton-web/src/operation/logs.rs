//! What is written to standard error: what happens here, never who or where. An address has an id in it, and whoever
//! has that can look on.

use std::panic::PanicHookInfo;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins to write. Of the parts that are not ours only warnings are of interest; what else they would say is not ours
/// to answer for.
pub fn begin(level: LevelFilter) {
    let ours = Targets::new().with_target("spoton_web", level).with_default(level.min(LevelFilter::WARN));
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    tracing_subscriber::registry().with(ours).with(lines).init();
    std::panic::set_hook(Box::new(tell_where));
}

/// Where a panic happened, but not its message: that may quote what somebody has typed.
fn tell_where(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!("a panic at {place}");
}
