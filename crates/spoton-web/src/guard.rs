//! Checks every request's host and origin, and adds security headers to every answer.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::api::Problem;
use crate::middleware::render;
use crate::place::{Here, Place};
use crate::seats::bearer;

/// Checks a request, runs it and adds the headers.
pub async fn guard<F: Future<Output = Response>>(
    place: &Place,
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let is_interface = request.uri().path().starts_with("/api/");
    let mut response = match checked(place, &request) {
        Err(problem) => render(problem, is_interface),
        Ok(here) => {
            // A token identifies the program. Any cookies are ignored.
            if is_interface && bearer(request.headers()).is_some() {
                request.headers_mut().remove(header::COOKIE);
            }
            request.extensions_mut().insert(here);
            next(request).await
        }
    };
    let https = place.base_url.as_ref().is_some_and(|base| base.https);
    add_headers(response.headers_mut(), https);
    response
}

/// Returns the requested host, or an error.
fn checked(place: &Place, request: &Request) -> Result<Here, Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) if place.is_host(host) => host,
        _ => {
            return Err(Problem::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server doesn't serve this host; check the address",
            ));
        }
    };
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if changes && !is_of_program(request) && !comes_from_us(request.headers(), &place.origin(host)) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "this request came from another site; reload the page and try again",
        ));
    }
    Ok(Here::from_host(place, host))
}

/// Returns whether a program sent the request: it has no cookie, or it has a token, which another site can't make a
/// browser send. Other kinds of `Authorization` prove nothing: browsers attach saved credentials to any
/// request.
fn is_of_program(request: &Request) -> bool {
    let headers = request.headers();
    let is_interface = request.uri().path().starts_with("/api/");
    is_interface && (!headers.contains_key(header::COOKIE) || bearer(headers).is_some())
}

/// Returns whether the browser reports this server's own pages as the origin.
fn comes_from_us(headers: &HeaderMap, origin: &str) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    headers.get(header::ORIGIN).and_then(|sent| sent.to_str().ok()) == Some(origin)
}

/// Allows only the server's own scripts, styles and images, and no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Default headers of every answer. Answers are personal, so caches mustn't store them.
pub(crate) const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Additional headers for https.
const SAFE_HEADERS: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000"),
];

fn add_headers(headers: &mut HeaderMap, https: bool) {
    headers.reserve(HEADERS.len() + SAFE_HEADERS.len());
    for (name, value) in HEADERS.into_iter().chain(SAFE_HEADERS.into_iter().filter(|_| https)) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sites_are_recognized() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            pairs
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
                .collect()
        };
        let origin = "http://localhost:8080";
        let ours = |pairs: &[(&'static str, &'static str)]| comes_from_us(&headers(pairs), origin);
        assert!(ours(&[("sec-fetch-site", "same-origin")]));
        assert!(ours(&[("origin", "http://localhost:8080")]));
        for other in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "http://localhost:8081")],
            &[("origin", "https://localhost:8080")],
            &[("sec-fetch-site", "same-site"), ("origin", "http://localhost:8080")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "none")],
        ] {
            assert!(!ours(other), "{other:?}");
        }
    }
}
