//! The whole server as a value: every address, behind the guard. Tests ask it without a socket.

use axum::Router;
use axum::middleware;

use crate::api;
use crate::guard::{Place, guard};
use crate::pages;
use crate::tables::Tables;

/// Every address.
pub fn app(tables: Tables, place: Place) -> Router {
    Router::new()
        .nest("/api/v1", api::router())
        .merge(pages::router())
        .with_state(tables)
        .layer(middleware::from_fn_with_state(place, guard))
}
