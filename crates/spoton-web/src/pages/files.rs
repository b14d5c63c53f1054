//! Scripts, style sheets and icons.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::routes::Route;

pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/static/app.css", || file("text/css", include_str!("../../static/app.css"))),
        Route::reads("/static/app.js", || file("text/javascript", include_str!("../../static/app.js"))),
        Route::reads("/static/workshop.js", || {
            file("text/javascript", include_str!("../../static/workshop.js"))
        }),
        Route::reads("/static/join.js", || file("text/javascript", include_str!("../../static/join.js"))),
        Route::reads("/static/class.js", || file("text/javascript", include_str!("../../static/class.js"))),
        Route::reads("/static/today.js", || file("text/javascript", include_str!("../../static/today.js"))),
        Route::reads("/static/icon.svg", || file("image/svg+xml", include_str!("../../static/icon.svg"))),
        Route::reads("/static/turn.svg", || file("image/svg+xml", include_str!("../../static/turn.svg"))),
    ]
}

async fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
