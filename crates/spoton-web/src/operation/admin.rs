//! Health and metrics for the operator, on a separate port that only the operator can reach.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::tables::Tables;
use crate::thinking::Queue;

/// Timeout of the readiness check.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn admin(tables: Tables) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(is_ready))
        .route("/metrics", get(metrics))
        .with_state(tables)
}

/// Returns ready if a move could be saved now.
async fn is_ready(State(tables): State<Tables>) -> Response {
    // Several servers share the store, so it's checked all the time and the answer is known.
    let ready = match tables.heard.readiness() {
        Some(ready) => Ok(ready),
        None => tokio::time::timeout(PATIENCE, tables.store.is_ready()).await,
    };
    match ready {
        Ok(Ok(())) => "ready\n".into_response(),
        Ok(Err(unavailable)) => {
            tracing::error!("not ready: {unavailable}");
            (StatusCode::SERVICE_UNAVAILABLE, "moves can't be saved right now; see the log\n").into_response()
        }
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the store didn't respond in time\n").into_response(),
    }
}

async fn metrics(State(tables): State<Tables>) -> Response {
    let metrics = &tables.metrics;
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    metrics.tasks.set(count(tokio::runtime::Handle::current().metrics().num_alive_tasks()));
    let mut thinking = 0;
    for queue in Queue::ALL {
        let waiting = count(tables.thinking.waiting(queue));
        metrics.waits_in(queue.name(), waiting);
        thinking += waiting;
    }
    metrics.thinking.set(thinking);
    metrics.rooms.set(count(tables.rooms.count()));
    if let Ok(bytes) = tables.store.bytes().await {
        metrics.data.set(bytes);
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], metrics.text()).into_response()
}
