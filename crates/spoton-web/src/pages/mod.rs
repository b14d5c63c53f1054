//! Pages for people, a file each.

use axum::Router;

use crate::tables::Tables;

/// All addresses of pages.
pub fn router() -> Router<Tables> {
    Router::new()
}
