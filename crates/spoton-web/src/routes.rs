//! The route table. Each route that isn't read-only declares its callers and what it stores. Its rate limit follows
//! from that before the handler runs, so a new route can't forget its limit.

use std::collections::HashMap;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodRouter, get};

pub use crate::rates::Stores;
use crate::tables::Tables;

/// The callers allowed on a route that isn't read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Anyone,
    /// Players with a seat in the round.
    SeatHolder,
    /// Holders of an invitation's secret.
    Invited,
    /// The person who opened the class.
    Teacher,
}

/// A route and its methods.
pub struct Route {
    pub path: &'static str,
    pub who: Who,
    pub stores: Stores,
    takes: MethodRouter<Tables>,
}

impl Route {
    /// Returns a read-only route.
    pub fn reads<H, T>(path: &'static str, answer: H) -> Route
    where
        H: Handler<T, Tables>,
        T: 'static,
    {
        Route { path, who: Who::Anyone, stores: Stores::Nothing, takes: get(answer) }
    }

    /// Returns a route for forms or commands.
    pub fn takes(path: &'static str, who: Who, stores: Stores, takes: MethodRouter<Tables>) -> Route {
        Route { path, who, stores, takes }
    }
}

/// Maps each route to what it stores.
pub type Table = HashMap<String, Stores>;

/// Builds a router.
pub(crate) fn router(routes: Vec<Route>) -> Router<Tables> {
    routes.into_iter().fold(Router::new(), |router, route| router.route(route.path, route.takes))
}

/// Returns the table of routes under a prefix.
pub fn table(beginning: &str, routes: &[Route]) -> Table {
    routes.iter().map(|route| (format!("{beginning}{}", route.path), route.stores)).collect()
}
