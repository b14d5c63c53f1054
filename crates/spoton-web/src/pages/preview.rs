//! The preview of a link in a messenger: a title, a sentence and a picture, without names. Only servers with a public address
//! have previews: others can't be reached by messengers.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::picture::emblem::Emblem;
use crate::picture::raster;
use crate::place::Here;

/// The preview of a page.
pub(super) struct Preview {
    pub url: String,
    pub title: String,
    pub sentence: String,
    pub picture: String,
}

impl Preview {
    /// The preview of a page about a game, whose picture is at this path.
    pub fn new(here: &Here, path: &str, title: String, sentence: String, picture: &str) -> Option<Preview> {
        let preview = || Preview { url: here.url(path), title, sentence, picture: here.url(picture) };
        here.is_public.then(preview)
    }
}

/// A picture of a round.
pub(super) fn picture(emblem: &Emblem) -> Response {
    ([(header::CONTENT_TYPE, "image/png")], raster::preview(emblem)).into_response()
}

/// A game's picture. It never changes, so browsers keep it for a day.
pub(super) fn picture_of_game(emblem: &Emblem) -> Response {
    ([(header::CACHE_CONTROL, "max-age=86400")], picture(emblem)).into_response()
}
