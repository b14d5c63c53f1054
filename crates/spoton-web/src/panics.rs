//! A panic ends what it happened in, and nothing else.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Something panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Waits for something that may panic.
///
/// # Errors
///
/// If it does. What it was about is dropped then, and must be of no use to anybody else.
pub async fn caught<T>(doing: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut doing = pin!(doing);
    let once_more =
        poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| doing.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(_) => Poll::Ready(Err(Panicked)),
        });
    once_more.await
}
