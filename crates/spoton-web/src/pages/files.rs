//! Scripts, style sheets and icons.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::picture::raster::app_icon;
use crate::routes::Route;

pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/static/app.css", || file("text/css", include_str!("../../static/app.css"))),
        Route::reads("/static/app.js", || file("text/javascript", include_str!("../../static/app.js"))),
        Route::reads("/static/motion.js", || file("text/javascript", include_str!("../../static/motion.js"))),
        Route::reads("/static/workshop.js", || {
            file("text/javascript", include_str!("../../static/workshop.js"))
        }),
        Route::reads("/static/join.js", || file("text/javascript", include_str!("../../static/join.js"))),
        Route::reads("/static/class.js", || file("text/javascript", include_str!("../../static/class.js"))),
        Route::reads("/static/today.js", || file("text/javascript", include_str!("../../static/today.js"))),
        Route::reads("/static/manifest.json", || {
            file("application/manifest+json", include_str!("../../static/manifest.json"))
        }),
        Route::reads("/static/icon-180.png", || icon(&SMALL)),
        Route::reads("/static/icon-192.png", || icon(&MEDIUM)),
        Route::reads("/static/icon-512.png", || icon(&LARGE)),
        Route::reads("/static/icon.svg", || file("image/svg+xml", include_str!("../../static/icon.svg"))),
        Route::reads("/static/turn.svg", || file("image/svg+xml", include_str!("../../static/turn.svg"))),
    ]
}

/// The app's icon in each size. Cache: drawn once.
static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| app_icon(180));
static MEDIUM: LazyLock<Vec<u8>> = LazyLock::new(|| app_icon(192));
static LARGE: LazyLock<Vec<u8>> = LazyLock::new(|| app_icon(512));

async fn icon(drawn: &'static LazyLock<Vec<u8>>) -> Response {
    ([(header::CONTENT_TYPE, "image/png")], drawn.as_slice()).into_response()
}

async fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
