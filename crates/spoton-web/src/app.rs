//! The whole server as a value: every address, behind the guard. Tests ask it without a socket.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;

use crate::api;
use crate::attend::{Attendant, attend, count};
use crate::files::pack;
use crate::guard::{Place, guard};
use crate::pages;
use crate::tables::Tables;

/// Every address.
pub fn app(tables: Tables, place: Place) -> Router {
    let limits = &tables.limits;
    let pages = pages::router().layer(DefaultBodyLimit::max(limits.body_bytes));
    let routes = Router::new().nest("/api/v1", api::router(limits)).merge(pages).with_state(tables.clone());
    guarded(routes, &tables, place)
}

/// Addresses behind all that stands before each of them.
pub fn guarded(routes: Router, tables: &Tables, place: Place) -> Router {
    let attendant = Attendant {
        limits: Arc::clone(&tables.limits),
        rates: Arc::clone(&tables.rates),
        metrics: Arc::clone(&tables.metrics),
        proxies: Arc::clone(&place.proxies),
    };
    // The last of these is the first that a request meets.
    routes
        .layer(middleware::from_fn(pack))
        .layer(middleware::from_fn_with_state(attendant, attend))
        .layer(middleware::from_fn_with_state(place, guard))
        .layer(middleware::from_fn_with_state(Arc::clone(&tables.metrics), count))
}
