//! Contains panics.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// The future panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Awaits a future that may panic.
///
/// # Errors
///
/// Fails if it panics. The future's state is then dropped, and nothing else may use it.
pub async fn caught<T>(doing: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut doing = pin!(doing);
    let once_more =
        poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| doing.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(_) => Poll::Ready(Err(Panicked)),
        });
    once_more.await
}
