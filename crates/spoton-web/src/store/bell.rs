//! How the servers that share a database reach each other: short texts that may get lost. They only say where to look;
//! the database has the truth.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::broadcast;

use super::{Pending, Unavailable};

/// The longest text, in bytes: PostgreSQL's limit.
pub const LONGEST_RING: usize = 7_999;

/// A bell that all servers of a database hear.
pub trait Bell: Send + Sync {
    /// Sends a text to all servers, including this one.
    ///
    /// # Errors
    ///
    /// Fails if it may not have been sent.
    fn ring(&self, text: String) -> Pending<'_, ()>;

    /// Begins to listen. Every text that is sent after this returns is heard, or hearing fails.
    fn listen(&self) -> Pending<'_, Box<dyn Listening>>;
}

/// A connection that hears the bell.
pub trait Listening: Send {
    /// Waits for the next text.
    ///
    /// # Errors
    ///
    /// Fails if texts may have been lost. Then it must be opened again.
    fn hear(&mut self) -> Pending<'_, String>;
}

/// Texts that a server may be behind before it loses some.
const MOST_UNHEARD: usize = 1024;

/// A bell within one process.
#[derive(Debug)]
pub struct MemoryBell {
    texts: broadcast::Sender<String>,
    is_muffled: AtomicBool,
}

impl Default for MemoryBell {
    fn default() -> MemoryBell {
        MemoryBell { texts: broadcast::channel(MOST_UNHEARD).0, is_muffled: AtomicBool::new(false) }
    }
}

impl MemoryBell {
    /// Loses all further texts, to show what that costs.
    pub fn muffle(&self) {
        self.is_muffled.store(true, Ordering::Relaxed);
    }
}

impl Bell for MemoryBell {
    fn ring(&self, text: String) -> Pending<'_, ()> {
        Box::pin(async move {
            if !self.is_muffled.load(Ordering::Relaxed) {
                // Fails if nobody listens, which is fine.
                let _ = self.texts.send(text);
            }
            Ok(())
        })
    }

    fn listen(&self) -> Pending<'_, Box<dyn Listening>> {
        Box::pin(async move { Ok(Box::new(self.texts.subscribe()) as Box<dyn Listening>) })
    }
}

impl Listening for broadcast::Receiver<String> {
    fn hear(&mut self) -> Pending<'_, String> {
        Box::pin(async move { self.recv().await.map_err(|lost| Unavailable(lost.to_string())) })
    }
}
