//! The whole server as a value: every route, behind the guard. Tests call it without a socket.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;

use crate::api;
use crate::files::pack;
use crate::guard::guard;
use crate::middleware::{count, wrap};
use crate::pages;
use crate::place::Place;
use crate::routes;
use crate::tables::Tables;

/// Returns the router with every route.
pub fn app(tables: Tables, place: Place) -> Router {
    let limits = &tables.limits;
    let pages = pages::router().layer(DefaultBodyLimit::max(limits.body_bytes));
    let all = Router::new().nest(api::BEGINNING, api::router(limits)).merge(pages);
    let mut stores = routes::table(api::BEGINNING, &api::routes());
    stores.extend(routes::table("", &pages::routes()));
    // A single layer: axum clones the layered service for every request.
    let entry = Arc::new(Entry { place, stores });
    all.with_state(tables.clone()).layer(middleware::from_fn_with_state((tables, entry), enter))
}

/// Request-independent state.
struct Entry {
    place: Place,
    stores: routes::Table,
}

/// Runs the middleware, outermost first.
async fn enter(
    State((tables, entry)): State<(Tables, Arc<Entry>)>,
    request: Request,
    next: Next,
) -> Response {
    let packed = |request| pack(request, next);
    let wrapped = |request| wrap(&tables, &entry.place, &entry.stores, request, packed);
    let guarded = |request| guard(&entry.place, request, wrapped);
    count(&tables.metrics, request, guarded).await
}
