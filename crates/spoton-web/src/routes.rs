//! The table of all addresses. Each that takes more than questions says who may call it and what it stores, and is
//! limited by that before its handler runs: a new one cannot forget its limit.

use std::collections::HashMap;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodRouter, get};

use crate::tables::Tables;

/// What requests other than questions (GET) to an address store. Each kind has its own limits, by browser and by
/// address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stores {
    /// Nothing: it only answers.
    Nothing,
    /// Rounds that begin.
    Rounds,
    /// Rule books that are shared.
    Books,
    Classes,
    /// How somebody does with puzzles.
    Puzzles,
    /// What happens in rounds that have begun. The last tenth of the store is theirs.
    Commands,
}

/// Who may do more than look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Anyone,
    /// Those who hold a seat in the round.
    SeatHolder,
    /// Those who bring the secret of an invitation.
    Invited,
    /// The one who opened the class.
    Teacher,
}

/// An address and what it takes.
pub struct Route {
    pub path: &'static str,
    pub who: Who,
    pub stores: Stores,
    takes: MethodRouter<Tables>,
}

impl Route {
    /// An address that only answers questions.
    pub fn reads<H, T>(path: &'static str, answer: H) -> Route
    where
        H: Handler<T, Tables>,
        T: 'static,
    {
        Route { path, who: Who::Anyone, stores: Stores::Nothing, takes: get(answer) }
    }

    /// An address that takes forms or commands.
    pub fn takes(path: &'static str, who: Who, stores: Stores, takes: MethodRouter<Tables>) -> Route {
        Route { path, who, stores, takes }
    }
}

/// What is stored by which address.
pub type Table = HashMap<String, Stores>;

/// A router of some addresses.
pub fn router(routes: Vec<Route>) -> Router<Tables> {
    routes.into_iter().fold(Router::new(), |router, route| router.route(route.path, route.takes))
}

/// What some addresses store that begin alike.
pub fn table(beginning: &str, routes: &[Route]) -> Table {
    routes.iter().map(|route| (format!("{beginning}{}", route.path), route.stores)).collect()
}
