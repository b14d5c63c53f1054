//! The whole server as a value: every address, behind the guard. Tests ask it without a socket.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;

use crate::api;
use crate::attend::{attend, count};
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
    // One layer: with each, what is under it is copied for every request.
    routes.layer(middleware::from_fn_with_state((tables.clone(), Arc::new(place)), enter))
}

/// The way of a request, from the first that it meets to the last.
async fn enter(
    State((tables, place)): State<(Tables, Arc<Place>)>,
    request: Request,
    next: Next,
) -> Response {
    let packed = |request| pack(request, next);
    let attended = |request| attend(&tables, &place, request, packed);
    let guarded = |request| guard(&place, request, attended);
    count(&tables.metrics, request, guarded).await
}
