//! Everything that happened in a run, with its time, as a hash. Replaying a seed also keeps the lines.

use std::fmt::{Arguments, Write};
use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

pub struct Trace {
    begun: Instant,
    state: Mutex<State>,
}

struct State {
    digest: Digest,
    lines: Option<Vec<String>>,
}

/// FNV-1a.
struct Digest(u64);

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl Trace {
    pub fn new(keeps_lines: bool) -> Trace {
        let state = State { digest: Digest(0xcbf2_9ce4_8422_2325), lines: keeps_lines.then(Vec::new) };
        Trace { begun: Instant::now(), state: Mutex::new(state) }
    }

    /// Notes what happens now.
    pub fn note(&self, what: Arguments<'_>) {
        let at = self.begun.elapsed().as_millis();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(state.digest, "{at} {what}").unwrap();
        if let Some(lines) = &mut state.lines {
            lines.push(format!("{at:>6} ms  {what}"));
        }
    }

    /// Returns the hash of everything, and the lines if they were kept.
    pub fn end(&self) -> (u64, Vec<String>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.digest.0, state.lines.take().unwrap_or_default())
    }
}

/// Notes a line in a trace.
macro_rules! note {
    ($trace:expr, $($what:tt)*) => {
        $trace.note(format_args!($($what)*))
    };
}
pub(crate) use note;
