//! The signal to shut down.

use tokio::sync::watch;

/// Waits for shutdown. A dropped sender also means shutdown.
pub(crate) async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
