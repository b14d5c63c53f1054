//! Static files: compressed if the browser supports it, and not sent again if it already has them. The ETag is a hash
//! of the content, so an update never mixes old and new files.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::ids::Hash;

/// A file in its encodings.
struct Packed {
    /// Each encoding has its own tag: the bytes differ.
    tag: HeaderValue,
    packed_tag: HeaderValue,
    packed: Bytes,
}

/// Cache: each file is compressed once. There are only a few, and they never change at runtime.
static PACKED: Mutex<Option<HashMap<Hash, Arc<Packed>>>> = Mutex::new(None);

/// Upper bound on a file's size.
const MOST_BYTES: usize = 1 << 20;

/// Compresses responses under `/static/`.
pub async fn pack(request: Request, next: Next) -> Response {
    let is_file = request.uri().path().starts_with("/static/");
    if !is_file || !matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let asked = request.headers().clone();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(plain) = to_bytes(body, MOST_BYTES).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let file = packed(&plain);
    let unpacks = takes_gzip(&asked) && file.packed.len() < plain.len();
    let (tag, bytes) = if unpacks { (&file.packed_tag, file.packed.clone()) } else { (&file.tag, plain) };
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.insert(header::ETAG, tag.clone());
    head.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Browsers revalidate every time, which costs one request.
    head.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if has_already(&asked, tag) {
        head.status = StatusCode::NOT_MODIFIED;
        return (head, ()).into_response();
    }
    if unpacks {
        head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    (head, bytes).into_response()
}

fn packed(plain: &[u8]) -> Arc<Packed> {
    let hash = Hash::digest(plain);
    let mut known = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    let made = || {
        let tag = |form: &str| {
            let text = format!("\"{}{form}\"", hash.short());
            HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("\"\""))
        };
        let mut writer = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory can't fail.
        let packed =
            writer.write_all(plain).and_then(|()| writer.finish()).unwrap_or_else(|_| plain.to_vec());
        Arc::new(Packed { tag: tag(""), packed_tag: tag("z"), packed: packed.into() })
    };
    Arc::clone(known.get_or_insert_default().entry(hash).or_insert_with(made))
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let offers = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|offers| offers.to_str().ok());
    let mut offers = offers.flat_map(|offers| offers.split(','));
    offers.any(|offer| {
        let (form, quality) = offer.split_once(';').unwrap_or((offer, ""));
        let refused =
            quality.trim().strip_prefix("q=").and_then(|number| number.parse().ok()) == Some(0.0_f32);
        form.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

fn has_already(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let tags = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    let mut tags = tags.flat_map(|tags| tags.split(','));
    tags.any(|known| {
        let known = known.trim().trim_start_matches("W/");
        known == "*" || known.as_bytes() == tag.as_bytes()
    })
}
